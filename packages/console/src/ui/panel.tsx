import { type ReactNode, useId } from 'react';

type PanelProps = {
  readonly title: string;
  readonly hint?: string | undefined;
  /** Beside the title, e.g. a button. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
};

/** A part of a page under its own heading. */
export const Panel = ({ title, hint, action, children }: PanelProps) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pl-1">
        <h2 id={id} className="min-w-0 text-[15px] font-semibold [overflow-wrap:anywhere]">
          {title}
        </h2>
        {action}
        {/* Below both, over the whole width: a long one takes no room from what stands beside the title. */}
        {hint === undefined ? null : (
          <div className="-mt-1.5 basis-full">
            <p className="max-w-prose text-[13px] leading-snug text-ink-faint">{hint}</p>
          </div>
        )}
      </div>
      {children}
    </section>
  );
};
