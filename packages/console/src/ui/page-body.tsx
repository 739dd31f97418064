import type { ReactNode } from 'react';

/** Below a page's header: what scrolls, as wide as is read well. */
export const PageBody = ({ wide = false, children }: { readonly wide?: boolean; readonly children: ReactNode }) => (
  <div className="min-h-0 flex-1 overflow-y-auto">
    <div className={`mx-auto flex w-full flex-col gap-6 px-3 py-4 sm:px-6 sm:py-6 ${wide ? 'max-w-6xl' : 'max-w-4xl'}`}>{children}</div>
  </div>
);
