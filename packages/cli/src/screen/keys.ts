/**
 * Keys of a terminal in raw mode, from the bytes that it sends: also when a sequence is cut between two reads. What is pasted comes as
 * one key, so that nothing in it can act as one.
 */
import { StringDecoder } from 'node:string_decoder';
import { printable } from '../output/printable.ts';

export type KeyName =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  | 'wheelup'
  | 'wheeldown'
  | 'wordleft'
  | 'wordright'
  | 'top'
  | 'bottom'
  | 'help'
  | 'mouse';
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'named'; readonly name: KeyName }
  /** A letter with Ctrl. */
  | { readonly kind: 'ctrl'; readonly letter: string };

const named = (name: KeyName): Key => ({ kind: 'named', name });

const finals: { readonly [sequence: string]: KeyName } = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'help',
  Q: 'mouse',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '5~': 'pageup',
  '6~': 'pagedown',
  '7~': 'home',
  '8~': 'end',
  '11~': 'help',
  '12~': 'mouse',
  '1;5C': 'wordright',
  '1;5D': 'wordleft',
  '1;3C': 'wordright',
  '1;3D': 'wordleft',
  '1;5H': 'top',
  '1;5F': 'bottom',
  '1;2A': 'wheelup',
  '1;2B': 'wheeldown',
  '13;2u': 'newline',
  '13;3u': 'newline',
  '27;2;13~': 'newline',
};
const afterEscape: { readonly [character: string]: KeyName } = { '\r': 'newline', '\n': 'newline', b: 'wordleft', f: 'wordright' };
const pasteBegins = '\u001b[200~';
const pasteEnds = '\u001b[201~';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of a terminal
const sequence = /^\u001b(?:\[(<?[0-9;]*)([A-Za-z~])|O([A-Za-z]))/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of one
const openSequence = /^\u001b(?:\[<?[0-9;]*|O)?$/;

const wheelOf = (parameters: string): Key | undefined => {
  const button = Number(parameters.slice(1).split(';')[0]);
  return button === 64 ? named('wheelup') : button === 65 ? named('wheeldown') : undefined;
};

const controlKey = (character: string): Key | undefined => {
  switch (character) {
    case '\r':
      return named('enter');
    case '\n':
      return named('newline');
    case '\t':
      return named('tab');
    case '\u007f':
    case '\b':
      return named('backspace');
  }
  const code = character.charCodeAt(0);
  return code >= 1 && code <= 26 ? { kind: 'ctrl', letter: String.fromCharCode(code + 96) } : undefined;
};

/** `onKey` is told of each key; a lone Esc is one only after a moment in which nothing followed it. */
export class KeyDecoder {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onKey: (key: Key) => void;
  readonly #escapeMs: number;
  #rest = '';
  #pasted: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onKey: (key: Key) => void, escapeMs = 40) {
    this.#onKey = onKey;
    this.#escapeMs = escapeMs;
  }

  feed(bytes: Buffer | string): void {
    clearTimeout(this.#timer);
    this.#rest += typeof bytes === 'string' ? bytes : this.#decoder.write(bytes);
    while (this.#rest !== '' && this.#step());
    if (this.#rest !== '' && this.#pasted === undefined) this.#timer = setTimeout(() => this.#giveUp(), this.#escapeMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #giveUp(): void {
    const rest = this.#rest.slice(1);
    this.#rest = '';
    this.#onKey(named('escape'));
    if (rest !== '') this.feed(rest);
  }

  #take(count: number): void {
    this.#rest = this.#rest.slice(count);
  }

  /** One key, or a part of a paste; false while what there is may go on. */
  #step(): boolean {
    if (this.#pasted !== undefined) return this.#paste();
    if (this.#rest.startsWith(pasteBegins)) {
      this.#take(pasteBegins.length);
      this.#pasted = '';
      return true;
    }
    if (this.#rest.startsWith('\u001b')) return this.#escape();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is no control character is text
    const text = /^[^\u0000-\u001f\u007f]+/.exec(this.#rest)?.[0];
    if (text !== undefined) {
      this.#take(text.length);
      this.#onKey({ kind: 'text', text: printable(text) });
      return true;
    }
    const key = controlKey(this.#rest.charAt(0));
    this.#take(1);
    if (key) this.#onKey(key);
    return true;
  }

  #paste(): boolean {
    const end = this.#rest.indexOf(pasteEnds);
    if (end === -1) {
      // The end may be cut in two.
      const kept = Math.max(this.#rest.length - pasteEnds.length, 0);
      this.#pasted += this.#rest.slice(0, kept);
      this.#take(kept);
      return false;
    }
    const text = `${this.#pasted}${this.#rest.slice(0, end)}`;
    this.#take(end + pasteEnds.length);
    this.#pasted = undefined;
    this.#onKey({ kind: 'paste', text: printable(text.replaceAll(/\r\n?/g, '\n')) });
    return true;
  }

  #escape(): boolean {
    if (openSequence.test(this.#rest)) return false;
    const found = sequence.exec(this.#rest);
    if (found) {
      this.#take(found[0].length);
      const [, parameters = '', final, single] = found;
      const name = finals[`${parameters}${final ?? single}`] ?? finals[single ?? ''];
      const key = parameters.startsWith('<') ? (final === 'M' ? wheelOf(parameters) : undefined) : name && named(name);
      if (key) this.#onKey(key);
      return true;
    }
    const name = afterEscape[this.#rest.charAt(1)];
    if (name !== undefined) {
      this.#take(2);
      this.#onKey(named(name));
      return true;
    }
    this.#take(1);
    this.#onKey(named('escape'));
    return true;
  }
}
