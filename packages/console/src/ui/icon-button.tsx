import type { ComponentProps, ReactNode } from 'react';

/** A button that is only an icon: `label` is its accessible name and its tooltip. */
export const IconButton = ({
  label,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & { readonly label: string; readonly children: ReactNode }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={`inline-flex size-9 shrink-0 items-center justify-center rounded-xl text-ink-soft transition-colors duration-150 hover:bg-sunken hover:text-ink disabled:opacity-40 ${className}`}
    {...rest}
  >
    {children}
  </button>
);
