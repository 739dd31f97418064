import type { ReactNode } from 'react';

/** A list in a frame, one entry a row. */
export const Rows = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <ul aria-label={label} className="divide-y divide-line rounded-2xl border border-line bg-surface">
    {children}
  </ul>
);

type RowProps = {
  readonly title: ReactNode;
  /** Beside the title: badges. */
  readonly marks?: ReactNode;
  /** Below it, small. */
  readonly note?: ReactNode;
  /** At the end: buttons. */
  readonly actions?: ReactNode;
  /** Below all of it. */
  readonly children?: ReactNode;
  readonly id?: string;
};

export const Row = ({ title, marks, note, actions, children, id }: RowProps) => (
  <li data-row={id} className="flex flex-col gap-3 px-4 py-3">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 text-sm font-medium [overflow-wrap:anywhere]">{title}</span>
          {marks}
        </div>
        {note === undefined || note === '' ? null : <div className="text-[13px] leading-snug text-ink-faint [overflow-wrap:anywhere]">{note}</div>}
      </div>
      {actions === undefined || actions === null ? null : <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{actions}</div>}
    </div>
    {children}
  </li>
);

/** In place of a list that has nothing in it. */
export const NothingYet = ({ children }: { readonly children: ReactNode }) => (
  <div className="rounded-2xl border border-dashed border-line px-4 py-8 text-center text-sm text-ink-soft">{children}</div>
);
