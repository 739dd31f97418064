import { type ReactNode, useEffect, useRef } from 'react';

type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
};

/** The platform's modal dialog: focus stays inside, Escape and a click beside it close it. */
export const Dialog = ({ open, onClose, label, className = '', children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
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
      onClick={(event) => {
        if (event.target === ref.current) ref.current?.close();
      }}
      className={`bg-surface shadow-soft ${className}`}
    >
      {open ? children : null}
    </dialog>
  );
};
