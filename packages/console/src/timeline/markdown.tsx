import { ImageOff } from 'lucide-react';
import { createContext, memo, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { defaultRehypePlugins, Streamdown, type StreamdownProps } from 'streamdown';
import { createSplitter } from './split-settled.ts';

/** What the renderer hands to an element; it hands on more than these. */
type Props = { readonly href?: unknown; readonly src?: unknown; readonly alt?: unknown; readonly className?: unknown; readonly children?: ReactNode };

const Link = ({ href, children }: Props) => (
  <a href={typeof href === 'string' ? href : undefined} target="_blank" rel="noopener noreferrer nofollow">
    {children}
  </a>
);

/** Never loaded: an address in what a model writes would tell a stranger that, and when, it was read. */
const Image = ({ alt, src }: Props) => (
  <span className="inline-flex items-center gap-1.5 align-bottom text-ink-faint">
    <ImageOff aria-hidden className="size-4" />
    {String(alt || src || '')}
  </span>
);

const Table = ({ children }: Props) => (
  <div className="table-frame">
    <table>{children}</table>
  </div>
);

/** It scrolls, and keys must reach that. */
// biome-ignore lint/a11y/noNoninteractiveTabindex: for that reason
const Pre = ({ children }: Props) => <pre tabIndex={0}>{children}</pre>;

/** The code of a piece whose fence is open: only its opening was parsed. */
const OpenCodeContext = createContext<string | undefined>(undefined);

const Code = ({ className, children }: Props) => {
  const open = use(OpenCodeContext);
  return <code className={typeof className === 'string' ? className : undefined}>{open ?? children}</code>;
};

/** Plain elements, styled by `.prose`. Headings begin one level down: the page has its own first one. */
const components = {
  a: Link,
  img: Image,
  table: Table,
  h1: 'h2',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h4',
  h6: 'h4',
  p: 'p',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  strong: 'strong',
  blockquote: 'blockquote',
  hr: 'hr',
  pre: Pre,
  code: Code,
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  sup: 'sup',
  sub: 'sub',
} as StreamdownProps['components'];

type Plugin = (this: unknown, settings: unknown) => unknown;

/** One that has its settings: of those that are given apart the renderer makes a name, with each block that it draws. */
const ready = (plugin: unknown) => {
  const [given, settings] = plugin as readonly [Plugin, unknown];
  return function (this: unknown) {
    return given.call(this, settings);
  };
};

/** Without the one for raw HTML, which is then shown as text. */
const rehypePlugins = [defaultRehypePlugins['sanitize'], defaultRehypePlugins['harden']].map(ready) as NonNullable<StreamdownProps['rehypePlugins']>;

type PieceProps = {
  readonly text: string;
  readonly streaming: boolean;
  /** Of fenced code that is open, and of which `text` is the opening. */
  readonly code?: string | undefined;
};

/**
 * Drawn anew only when its own text changes. One that began while it streamed is drawn block by block for good: of a tail only the last
 * block changes, and nothing is made anew when it settles.
 */
export const Piece = memo(({ text, streaming, code }: PieceProps) => {
  const [mode] = useState<StreamdownProps['mode']>(streaming ? 'streaming' : 'static');
  return (
    <OpenCodeContext value={code}>
      <Streamdown
        // Another name: the renderer looks at its text again when that has settled.
        className={streaming ? 'piece growing' : 'piece'}
        mode={mode}
        parseIncompleteMarkdown={streaming}
        controls={false}
        linkSafety={{ enabled: false }}
        components={components}
        rehypePlugins={rehypePlugins}
      >
        {text}
      </Streamdown>
    </OpenCodeContext>
  );
});

/** As the parser has it: a line end after the last line, whether that is there or not. */
const shownCode = (code: string): string => (code === '' || code.endsWith('\n') ? code : `${code}\n`);

const restsAfterMs = 700;

/** Whether a text that streams has not grown for a while. */
const useRests = (text: string, streaming: boolean): boolean => {
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    if (!streaming) return;
    const timer = setTimeout(() => setRested(text), restsAfterMs);
    return () => clearTimeout(timer);
  }, [text, streaming]);
  return streaming && rested === text;
};

type MarkdownProps = Pick<PieceProps, 'text' | 'streaming'>;

/** The same pieces while it streams and when it is whole, so that nothing moves when it ends. */
export const Markdown = ({ text, streaming }: MarkdownProps) => {
  const [split] = useState(createSplitter);
  const { settled, tail, open } = useMemo(() => split(text), [split, text]);
  const rests = useRests(text, streaming);
  return (
    <div className={`prose ${streaming ? 'streaming' : ''} ${rests ? 'rests' : ''}`}>
      {settled.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece never changes its place (TY1)
        <Piece key={at} text={piece} streaming={false} />
      ))}
      {tail === '' ? null : (
        <Piece
          key={settled.length}
          text={open && streaming ? open.opening : tail}
          code={open && streaming ? shownCode(open.code) : undefined}
          streaming={streaming}
        />
      )}
    </div>
  );
};
