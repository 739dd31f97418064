import type { MinitoolDetails, MinitoolPermissions } from '@turnkeeper/core/protocol/wire/minitools';
import { Power, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAct } from '../ui/use-act.ts';
import { PermissionList } from './permission-list.tsx';

type ActionsProps = { readonly minitool: MinitoolDetails; readonly onChanged: () => void };

/** Agrees to what is shown and to nothing else: where the package asks for something else by now, the server refuses. */
const ConsentDialog = ({ minitool, onChanged, onClose }: ActionsProps & { readonly onClose: () => void }) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, act } = useAct();
  const [shown] = useState(minitool);
  const enable = async (): Promise<void> => {
    if (await act(() => minitools.enable(shown.id, shown.permissions))) onClose();
    onChanged();
  };
  return (
    <FormDialog
      title={t('enableTitle', { name: shown.name })}
      submit={t('agreeAndEnable')}
      busy={busy}
      fault={fault}
      onSubmit={() => void enable()}
      onClose={onClose}
      wide
    >
      <p className="text-sm text-ink-soft">{t('enableNote')}</p>
      <PermissionList minitool={shown} />
    </FormDialog>
  );
};

export const MinitoolActions = ({ minitool, onChanged }: ActionsProps) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, act } = useAct();
  const [asks, setAsks] = useState<'consent' | 'remove'>();
  const { id, status, permissions } = minitool;
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    await act(work);
    onChanged();
  };
  const restart = async (consent: MinitoolPermissions): Promise<void> => {
    await minitools.disable(id);
    await minitools.enable(id, consent);
  };
  const close = (): void => setAsks(undefined);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {status === 'enabled' ? (
          <>
            <Button size="sm" disabled={busy} onClick={() => void run(() => restart(permissions))}>
              <RotateCw aria-hidden className="size-4" /> {t('restartMinitool')}
            </Button>
            <Button size="sm" disabled={busy} onClick={() => void run(() => minitools.disable(id))}>
              <Power aria-hidden className="size-4" /> {t('disable')}
            </Button>
          </>
        ) : (
          <Button size="sm" variant="primary" disabled={busy} onClick={() => setAsks('consent')}>
            <Power aria-hidden className="size-4" /> {t('enable')}
          </Button>
        )}
        <Button size="sm" variant="danger" disabled={busy} onClick={() => setAsks('remove')}>
          <Trash2 aria-hidden className="size-4" /> {t('remove')}
        </Button>
      </div>
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {asks === 'consent' ? <ConsentDialog minitool={minitool} onChanged={onChanged} onClose={close} /> : null}
      <ConfirmDialog
        open={asks === 'remove'}
        title={t('removeMinitoolTitle', { name: minitool.name })}
        text={t('removeMinitoolText')}
        confirm={t('remove')}
        onConfirm={() => void act(() => minitools.delete(id)).then((done) => done && go(pageAt('minitools')))}
        onClose={close}
      />
    </div>
  );
};
