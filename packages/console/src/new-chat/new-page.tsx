import type { ReactNode } from 'react';

type NewPageProps = { readonly menuButton: ReactNode; readonly title: string; readonly foot: ReactNode; readonly children: ReactNode };

/** What is to be chosen above, what is written below it. */
export const NewPage = ({ menuButton, title, foot, children }: NewPageProps) => (
  <div className="flex h-full flex-col">
    <header className="flex h-16 shrink-0 items-center px-4 md:hidden">{menuButton}</header>
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-6 px-4 py-8 sm:px-6">
        <h1 className="text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        {children}
      </div>
    </div>
    <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">{foot}</div>
  </div>
);
