import type { ReactNode } from 'react';

/** Names and what they are, in a frame. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="divide-y divide-line rounded-2xl border border-line bg-surface">
    {facts.map(([name, value]) => (
      <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 px-4 py-2.5 text-sm">
        <dt className="text-ink-soft">{name}</dt>
        <dd className="min-w-0 text-right [overflow-wrap:anywhere] tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
);
