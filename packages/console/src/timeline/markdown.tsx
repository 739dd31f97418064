import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { defaultRehypePlugins, Streamdown, type StreamdownProps } from 'streamdown';

/** What the renderer hands to an element; it hands on more than these. */
type Props = { readonly href?: unknown; readonly src?: unknown; readonly alt?: unknown; readonly children?: ReactNode };

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
  pre: 'pre',
  code: 'code',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  sup: 'sup',
  sub: 'sub',
} as StreamdownProps['components'];

/** Without the one for raw HTML, which is then shown as text. */
const rehypePlugins = [defaultRehypePlugins['sanitize'], defaultRehypePlugins['harden']] as NonNullable<StreamdownProps['rehypePlugins']>;

export const Markdown = ({ text, streaming }: { readonly text: string; readonly streaming: boolean }) => (
  <Streamdown
    className={streaming ? 'prose streaming' : 'prose'}
    mode={streaming ? 'streaming' : 'static'}
    parseIncompleteMarkdown={streaming}
    controls={false}
    linkSafety={{ enabled: false }}
    components={components}
    rehypePlugins={rehypePlugins}
  >
    {text}
  </Streamdown>
);
