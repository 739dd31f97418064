/**
 * `/embed.js`: puts the chat into a page of another site, as a frame. Built alone, with nothing but what stands here, as a
 * classic script whose exports are members of `Turnkeeper`.
 *
 * EJ1 The token goes to the frame by a message to the server's own origin, and never into an address.
 * EJ2 Only messages of that frame, from that origin, are listened to.
 */
import { embedTexts } from './embed-texts.ts';
import { readFromFrame, tokenForFrame } from './frame-messages.ts';

/** A token, or where to get one: asked again when the one before has ended. */
export type TokenSource = string | (() => string | Promise<string>);
export type EmbedOptions = {
  readonly token: TokenSource;
  /** The server; where the script came from unless given. */
  readonly server?: string;
  readonly language?: string;
  readonly theme?: string;
  readonly title?: string;
  /** The token has ended, and there is no way to get another one. */
  readonly onExpired?: () => void;
};
export type LaunchOptions = EmbedOptions & { readonly position?: string; readonly open?: boolean };
export type Mounted = { readonly frame: HTMLIFrameElement; readonly setToken: (token: string) => void; readonly unmount: () => void };

const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
const ownServer = script ? new URL(script.src, location.href).origin : location.origin;
const languageOf = ({ language = document.documentElement.lang || navigator.language }: Pick<EmbedOptions, 'language'>): 'en' | 'zh' =>
  /^zh\b/i.test(language) ? 'zh' : 'en';

const frameAddress = (server: string, options: EmbedOptions, closable: boolean): string => {
  const { theme, title } = options;
  const said = new URLSearchParams({
    language: languageOf(options),
    ...(theme ? { theme } : {}),
    ...(title ? { title } : {}),
    ...(closable ? { closable: '1' } : {}),
  });
  return `${server}/c/#${said}`;
};

/** A chat that greets has done so long before: a page of its size comes in one piece. */
const greetingMs = 10_000;

/** A frame that the server forbids looks empty to everybody, and says so to nobody: the browser keeps it from the page. */
const hintAtOrigins = (server: string): void =>
  // biome-ignore lint/suspicious/noConsole: it is for whoever builds the page around it, and is to be seen nowhere else
  console.warn(
    `Turnkeeper: the chat from ${server} did not appear. If this site is not allowed to show it, start the server with --embed-origins ${location.origin} (or set TURNKEEPER_EMBED_ORIGINS).`,
  );

const putInto = (element: Element, options: EmbedOptions, onClose?: () => void): Mounted => {
  const server = new URL(options.server ?? ownServer, location.href).origin;
  const frame = document.createElement('iframe');
  frame.title = options.title ?? embedTexts[languageOf(options)].title;
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox');
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0', colorScheme: 'normal' });
  let { token } = options;
  let given = false;
  const hand = async (): Promise<void> => {
    try {
      const value = typeof token === 'string' ? token : await token();
      // [EJ1]
      frame.contentWindow?.postMessage(tokenForFrame(value), server);
    } catch {
      options.onExpired?.();
    }
  };
  const hear = ({ source, origin, data }: MessageEvent): void => {
    // [EJ2]
    if (source !== frame.contentWindow || origin !== server) return;
    const say = readFromFrame(data);
    if (say === 'close') onClose?.();
    else if (say === 'expired' && typeof token === 'string') options.onExpired?.();
    else if (say !== undefined) {
      given = true;
      clearTimeout(waiting);
      void hand();
    }
  };
  const waiting = setTimeout(() => hintAtOrigins(server), greetingMs);
  addEventListener('message', hear);
  frame.src = frameAddress(server, options, onClose !== undefined);
  element.append(frame);
  return {
    frame,
    setToken: (next) => {
      token = next;
      if (given) void hand();
    },
    unmount: () => {
      clearTimeout(waiting);
      removeEventListener('message', hear);
      frame.remove();
    },
  };
};

/** Fills an element of the page with the chat. */
export const mount = (element: Element, options: EmbedOptions): Mounted => putInto(element, options);

const drawn = (paths: readonly string[]): SVGSVGElement => {
  const make = <Name extends 'svg' | 'path'>(name: Name) => document.createElementNS('http://www.w3.org/2000/svg', name);
  const svg = make('svg');
  const look = { viewBox: '0 0 24 24', width: '24', height: '24', fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(look)) svg.setAttribute(name, value);
  for (const path of paths) {
    const line = make('path');
    line.setAttribute('d', path);
    svg.append(line);
  }
  return svg;
};
const bubble = ['m7.9 20A9 9 0 1 0 4 16.1L2 22Z'];

const styleOf = (side: 'left' | 'right'): string => `
:host { all: initial; }
button { position: fixed; bottom: 20px; ${side}: 20px; z-index: 2147483000; display: grid; place-items: center; width: 56px; height: 56px;
  padding: 0; border: 0; border-radius: 50%; background: #17656d; color: #fff; cursor: pointer; box-shadow: 0 4px 16px rgb(0 0 0 / 0.25); }
button:focus-visible { outline: 3px solid #17656d; outline-offset: 3px; }
div { position: fixed; bottom: 88px; ${side}: 20px; z-index: 2147483000; width: min(400px, calc(100vw - 40px)); height: min(640px, calc(100vh - 108px));
  overflow: hidden; border-radius: 16px; background: Canvas; box-shadow: 0 8px 40px rgb(0 0 0 / 0.3); }
div[hidden] { display: none; }
@media (max-width: 480px) { div { inset: 0; width: 100%; height: 100%; border-radius: 0; }
  button[aria-expanded='true'] { display: none; } }`;

/** A round button in a corner that opens the chat over the page. In a shadow of its own: the page's styles do not reach it. */
export const launch = (options: LaunchOptions): { readonly open: () => void; readonly close: () => void; readonly remove: () => void } => {
  const texts = embedTexts[languageOf(options)];
  const host = document.createElement('turnkeeper-chat');
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleOf(options.position === 'bottom-left' ? 'left' : 'right'));
  shadow.adoptedStyleSheets = [sheet];
  const panel = document.createElement('div');
  panel.id = 'panel';
  panel.hidden = true;
  const button = document.createElement('button');
  button.type = 'button';
  button.append(drawn(bubble));
  button.setAttribute('aria-controls', panel.id);
  let mounted: Mounted | undefined;
  const show = (open: boolean): void => {
    panel.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    button.setAttribute('aria-label', open ? texts.close : (options.title ?? texts.open));
  };
  const close = (): void => {
    show(false);
    button.focus();
  };
  const open = (): void => {
    show(true);
    // Nothing is loaded before somebody wants it.
    mounted ??= putInto(panel, options, close);
    mounted.frame.focus();
  };
  button.addEventListener('click', () => (panel.hidden ? open() : close()));
  show(false);
  shadow.append(panel, button);
  document.body.append(host);
  if (options.open) open();
  return {
    open,
    close,
    remove: () => {
      mounted?.unmount();
      host.remove();
    },
  };
};

/** `<script src=".../embed.js" data-token="…" data-position="bottom-right" async></script>` */
const startByScript = ({ token, ...options }: DOMStringMap): void => {
  if (token) launch({ ...options, token, open: options['open'] !== undefined } as LaunchOptions);
};
if (script) {
  const data = { ...script.dataset };
  // The document need not show it any longer than this.
  delete script.dataset['token'];
  if (document.body) startByScript(data);
  else addEventListener('DOMContentLoaded', () => startByScript(data));
}
