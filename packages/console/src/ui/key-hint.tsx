/** The key that does the same as the button beside it; only where there is a keyboard. Its place is kept while it does nothing. */
export const KeyHint = ({ shown, children }: { readonly shown: boolean; readonly children: string }) => (
  <kbd
    aria-hidden
    className={`rounded-md border border-current/30 px-1.5 font-mono text-[11px] leading-4.5 font-normal opacity-70 [@media(hover:none)]:hidden ${shown ? '' : 'invisible'}`}
  >
    {children}
  </kbd>
);
