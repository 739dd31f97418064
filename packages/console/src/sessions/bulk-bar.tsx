import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { Archive, ArchiveRestore, Pin, PinOff, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { setPinned } from '../preferences/pinned.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import type { Bulk } from './use-bulk.ts';

type BulkBarProps = { readonly chosen: readonly SessionResource[]; readonly bulk: Bulk; readonly pins: readonly string[]; readonly onClear: () => void };

const icon = 'size-4';

/** What can be done to all that is chosen; only what would do something is shown. */
export const BulkBar = ({ chosen, bulk, pins, onClear }: BulkBarProps) => {
  const t = useText();
  const { sessions } = useClient();
  const [asksDelete, setAsksDelete] = useState(false);
  const active = chosen.filter(({ archived }) => !archived);
  const archived = chosen.filter((session) => session.archived);
  const allPinned = chosen.every(({ id }) => pins.includes(id));
  const pin = (): void => {
    setPinned(
      chosen.map(({ id }) => id),
      !allPinned,
    );
    onClear();
  };
  const run = async (which: readonly SessionResource[], act: (id: string) => Promise<unknown>): Promise<void> => {
    await bulk.run(which, ({ id }) => act(id));
    onClear();
  };
  return (
    <div role="toolbar" aria-label={t('bulkActions')} className="flex min-h-11 flex-wrap items-center gap-2 rounded-2xl bg-accent-soft py-1.5 pr-2 pl-1.5">
      <IconButton label={t('chooseNone')} onClick={onClear} className="size-8!">
        <X aria-hidden className={icon} />
      </IconButton>
      <p className="mr-auto text-sm font-medium" aria-live="polite">
        {t('chosenCount', { count: chosen.length })}
      </p>
      <Button size="sm" onClick={pin}>
        {allPinned ? <PinOff aria-hidden className={icon} /> : <Pin aria-hidden className={icon} />} {t(allPinned ? 'unpin' : 'pin')}
      </Button>
      {active.length === 0 ? null : (
        <Button size="sm" disabled={bulk.busy} onClick={() => void run(active, sessions.archive)}>
          <Archive aria-hidden className={icon} /> {t('archive')}
        </Button>
      )}
      {archived.length === 0 ? null : (
        <Button size="sm" disabled={bulk.busy} onClick={() => void run(archived, sessions.restore)}>
          <ArchiveRestore aria-hidden className={icon} /> {t('restore')}
        </Button>
      )}
      <Button size="sm" variant="danger" disabled={bulk.busy} onClick={() => setAsksDelete(true)}>
        <Trash2 aria-hidden className={icon} /> {t('delete')}
      </Button>
      <ConfirmDialog
        open={asksDelete}
        title={t('deleteManyTitle', { count: chosen.length })}
        text={t('deleteManyText')}
        confirm={t('delete')}
        onConfirm={() => void run(chosen, sessions.delete)}
        onClose={() => setAsksDelete(false)}
      />
    </div>
  );
};
