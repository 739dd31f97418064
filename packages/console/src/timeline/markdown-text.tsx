import { backoffMs } from '@turnkeeper/client/transport/backoff';
import { lazy, Suspense } from 'react';

/** Tried until it is there: a network that goes away meanwhile takes nothing from the page, for all of it can be read without. */
const loadMarkdown = async () => {
  for (let failed = 0; ; failed += 1) {
    try {
      const { Markdown } = await import('./markdown.tsx');
      return { default: Markdown };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, backoffMs(failed)));
    }
  }
};

/** Loaded with the first answer, not with the page: most of the weight of a chat is its markdown. */
const Markdown = lazy(loadMarkdown);

/** Plain text has the same size and place until markdown is there, so that nothing jumps. */
export const MarkdownText = ({ text, streaming }: { readonly text: string; readonly streaming: boolean }) => (
  <Suspense fallback={<div className={`prose whitespace-pre-wrap ${streaming ? 'streaming' : ''}`}>{text}</div>}>
    <Markdown text={text} streaming={streaming} />
  </Suspense>
);
