import type { FormEvent, ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

type FormDialogProps = {
  readonly title: string;
  /** What the button says that sends it. */
  readonly submit: string;
  readonly busy: boolean;
  /** Something is missing yet. */
  readonly incomplete?: boolean;
  readonly fault: string | undefined;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A few questions in a dialog, as long as it is there. */
export const FormDialog = ({ title, submit, busy, incomplete = false, fault, onSubmit, onClose, wide = false, children }: FormDialogProps) => {
  const t = useText();
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && !incomplete) onSubmit();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      label={title}
      className={`${wide ? 'w-[min(44rem,calc(100vw-1.5rem))]' : 'w-[min(28rem,calc(100vw-1.5rem))]'} rounded-2xl border border-line`}
    >
      <form onSubmit={send} className="flex flex-col gap-4 p-5 sm:p-6">
        <h2 className="text-lg font-semibold">{title}</h2>
        {children}
        {fault === undefined ? null : (
          <Notice tone="danger">
            <span className="whitespace-pre-line">{fault}</span>
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" disabled={busy || incomplete}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
