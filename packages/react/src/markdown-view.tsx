import { memo, type ReactNode, useMemo, useState } from 'react';
import { type Align, type Block, createBlockReader, type Inline, inlineOf, type ListItem, nested } from './markdown.ts';

/** What has no name of its own is known by its place: texts only grow. */
const InlineNode = ({ node }: { readonly node: Inline }): ReactNode => {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'code':
      return <code>{node.text}</code>;
    case 'strong':
      return (
        <strong>
          <InlineList nodes={node.inner} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <InlineList nodes={node.inner} />
        </em>
      );
    case 'link':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer nofollow">
          <InlineList nodes={node.inner} />
        </a>
      );
  }
};

const InlineList = ({ nodes }: { readonly nodes: readonly Inline[] }): ReactNode =>
  nodes.map((node, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a place is all that tells them apart
    <InlineNode key={at} node={node} />
  ));

const Line = ({ text }: { readonly text: string }) => <InlineList nodes={inlineOf(text)} />;

type ListProps = { readonly ordered: boolean; readonly start: number; readonly items: readonly ListItem[] };

const List = ({ ordered, start, items }: ListProps): ReactNode => {
  const shown = nested(items).map(({ text, below }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a place is all that tells them apart
    <li key={at}>
      <Line text={text} />
      {below.length > 0 ? <List ordered={below[0]?.ordered ?? false} start={1} items={below} /> : null}
    </li>
  ));
  return ordered ? <ol start={start}>{shown}</ol> : <ul>{shown}</ul>;
};

type TableProps = { readonly head: readonly string[]; readonly aligned: readonly Align[]; readonly rows: readonly (readonly string[])[] };

/* biome-ignore-start lint/suspicious/noArrayIndexKey: a place is all that tells them apart */
const Table = ({ head, aligned, rows }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keyboard
  <div className="tk-table" tabIndex={0}>
    <table>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col" data-align={aligned[at]}>
              <Line text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, at) => (
              <td key={at} data-align={aligned[at]}>
                <Line text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
/* biome-ignore-end lint/suspicious/noArrayIndexKey: a place is all that tells them apart */

const BlockView = memo(
  ({ block }: { readonly source: string; readonly block: Block }): ReactNode => {
    switch (block.kind) {
      case 'paragraph':
        return (
          <p>
            <Line text={block.text} />
          </p>
        );
      case 'quote':
        return (
          <blockquote>
            <Line text={block.text} />
          </blockquote>
        );
      case 'heading':
        // The page has its own outline: what a model writes is none of it.
        return (
          <p className="tk-heading" data-level={Math.min(block.level, 3)}>
            <Line text={block.text} />
          </p>
        );
      case 'code':
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keyboard
          <pre tabIndex={0} data-language={block.language || undefined}>
            <code>{block.text}</code>
          </pre>
        );
      case 'rule':
        return <hr />;
      case 'table':
        return <Table head={block.head} aligned={block.aligned} rows={block.rows} />;
      case 'list':
        return <List ordered={block.ordered} start={block.start} items={block.items} />;
    }
  },
  (before, after) => before.source === after.source,
);

/** What the agent writes, also while it does: blocks that are finished are drawn once. */
export const MarkdownView = ({ text, streaming }: { readonly text: string; readonly streaming: boolean }) => {
  const [read] = useState(createBlockReader);
  const blocks = useMemo(() => read(text), [read, text]);
  return (
    <div className={`tk-prose${streaming ? ' tk-streaming' : ''}`}>
      {blocks.map(({ source, block }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks stay where they are
        <BlockView key={at} source={source} block={block} />
      ))}
    </div>
  );
};
