import { lazy, Suspense } from 'react';

/** Loaded with the first answer, not with the page: most of the weight of a chat is its markdown. */
const Markdown = lazy(() => import('./markdown.tsx').then(({ Markdown }) => ({ default: Markdown })));

/** Plain text has the same size and place until markdown is there, so that nothing jumps. */
export const MarkdownText = ({ text, streaming }: { readonly text: string; readonly streaming: boolean }) => (
  <Suspense fallback={<div className={`prose whitespace-pre-wrap ${streaming ? 'streaming' : ''}`}>{text}</div>}>
    <Markdown text={text} streaming={streaming} />
  </Suspense>
);
