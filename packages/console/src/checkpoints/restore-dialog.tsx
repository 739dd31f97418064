import { freshKey } from '@turnkeeper/client/fresh-key';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { FaultNotice } from './fault-notice.tsx';

type RestoreDialogProps = {
  readonly sessionId: string;
  readonly checkpointId: string;
  readonly title: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Says what it does before it does it. */
export const RestoreDialog = ({ sessionId, checkpointId, title, onDone, onClose }: RestoreDialogProps) => {
  const t = useText();
  const { context } = useClient();
  const [key] = useState(() => freshKey('restore'));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const restore = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await context.restore(sessionId, { checkpoint_id: checkpointId }, { idempotencyKey: key });
      onDone();
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={t('checkpointRestoreTitle')}
      submit={t('checkpointRestore')}
      busy={busy}
      fault={undefined}
      onSubmit={() => void restore()}
      onClose={onClose}
    >
      <p className="text-sm font-medium">{title}</p>
      <p className="text-sm text-ink-soft">{t('checkpointRestoreText')}</p>
      {error === undefined ? null : <FaultNotice sessionId={sessionId} error={error} />}
    </FormDialog>
  );
};
