import type { ReactNode } from 'react';

const tones = {
  info: 'border-line bg-surface text-ink-soft',
  warn: 'border-warn-line bg-warn-soft text-warn',
  danger: 'border-transparent bg-danger-soft text-danger',
};

/** A short message in the flow of the page; announced when it appears. */
export const Notice = ({ tone = 'info', children }: { readonly tone?: keyof typeof tones; readonly children: ReactNode }) => (
  <div role={tone === 'info' ? 'status' : 'alert'} className={`rounded-2xl border px-4 py-3 text-sm ${tones[tone]}`}>
    {children}
  </div>
);
