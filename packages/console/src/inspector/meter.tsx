import { useId } from 'react';

type MeterProps = {
  readonly label: string;
  readonly text: string;
  readonly hint: string;
  /** Of the whole; over 1 is full. Without it there is no bar. */
  readonly part?: number;
};

const toneOf = (part: number): string => (part >= 1 ? 'bg-danger' : part >= 0.8 ? 'bg-warn' : 'bg-accent');

export const Meter = ({ label, text, hint, part }: MeterProps) => {
  const id = useId();
  return (
    <section className="flex flex-col gap-1.5" aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id={id} className="text-[13px] font-medium text-ink-soft">
          {label}
        </h2>
        <span className="text-[13px] tabular-nums">{text}</span>
      </div>
      {part === undefined ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be given these colours in every browser
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(Math.min(part, 1) * 100)}
          aria-valuetext={text}
          className="h-2 overflow-hidden rounded-full bg-line"
        >
          <div className={`h-full rounded-full ${toneOf(part)}`} style={{ width: `${Math.max(Math.min(part, 1) * 100, part > 0 ? 1.5 : 0)}%` }} />
        </div>
      )}
      <p className="text-xs leading-snug text-ink-faint">{hint}</p>
    </section>
  );
};
