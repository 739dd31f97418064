import type { ReactNode } from 'react';

const tones = {
  quiet: 'bg-sunken text-ink-soft',
  good: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
};
export type BadgeTone = keyof typeof tones;

/** A word about the thing beside it. */
export const Badge = ({ tone = 'quiet', children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) => (
  <span className={`inline-block shrink-0 rounded-full px-2 text-xs leading-5 ${tones[tone]}`}>{children}</span>
);
