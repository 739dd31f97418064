import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  readonly open: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asked only before what cannot be taken back. */
export const ConfirmDialog = ({ open, title, text, confirm, onConfirm, onClose }: ConfirmDialogProps) => {
  const t = useText();
  return (
    <Dialog open={open} onClose={onClose} label={title} className="w-[min(26rem,calc(100vw-2rem))] rounded-2xl border border-line p-6">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-2 text-ink-soft">{text}</p>
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>{t('keep')}</Button>
        <Button
          variant="final"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
};
