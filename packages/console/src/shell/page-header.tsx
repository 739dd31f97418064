import type { ReactNode } from 'react';

type PageHeaderProps = { readonly menuButton: ReactNode; readonly title: string; readonly note?: string | undefined; readonly children?: ReactNode };

/** The top of a page that is not a session. `note` is for who has a keyboard. */
export const PageHeader = ({ menuButton, title, note, children }: PageHeaderProps) => (
  <header className="flex h-16 shrink-0 items-center gap-2 border-b border-line px-4 sm:px-6">
    {menuButton}
    <h1 className="truncate text-[15px] font-semibold">{title}</h1>
    {note === undefined ? null : <p className="ml-auto truncate text-xs text-ink-faint max-lg:hidden [@media(hover:none)]:hidden">{note}</p>}
    {children}
  </header>
);
