import type { OutputBlock } from '@turnkeeper/core/protocol/content';

const textOfBlock = (block: OutputBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'data':
      return JSON.stringify(block.data, null, 2);
    case 'image':
    case 'audio':
    case 'video':
      return `[${block.name ?? block.type}]`;
  }
};

/** Longer texts would make the page heavy for little: they are in the event log. */
const mostCharacters = 20_000;

export const outputText = (blocks: readonly OutputBlock[]): string => {
  const text = blocks.map(textOfBlock).join('\n');
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
};

export const CodeBox = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div>
    <p className="mb-1 text-xs font-medium text-ink-faint">{label}</p>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach that
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-xl bg-sunken px-3.5 py-2.5 font-mono text-[12.5px] leading-relaxed break-words whitespace-pre-wrap"
    >
      {text}
    </pre>
  </div>
);
