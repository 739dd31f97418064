import { type ReactNode, useLayoutEffect, useRef } from 'react';

type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly label: string;
  readonly className?: string;
  /** Of one that nobody opened themselves a click beside it says nothing. */
  readonly closesBeside?: boolean;
  /** Whether Escape closes it yet. */
  readonly mayClose?: boolean;
  readonly children: ReactNode;
};

/** The platform's modal dialog: focus stays inside, Escape and a click beside it close it. */
export const Dialog = ({ open, onClose, label, className = '', closesBeside = true, mayClose = true, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  // With what is drawn and not a moment later: the page takes keys and the focus again as soon as it is seen to have gone.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself; the click is for pointers
    <dialog
      ref={ref}
      aria-label={label}
      onClose={onClose}
      onCancel={(event) => {
        if (!mayClose && event.target === ref.current) event.preventDefault();
      }}
      onClick={(event) => {
        if (closesBeside && event.target === ref.current) ref.current?.close();
      }}
      className={`bg-surface shadow-soft outline-none ${className}`}
    >
      {open ? children : null}
    </dialog>
  );
};
