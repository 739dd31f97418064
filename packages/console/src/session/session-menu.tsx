import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { Archive, ArchiveRestore, Ellipsis, Hash, Link, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { addressOf, go } from '../shell/address.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { copyText } from '../ui/copy-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { RenameDialog } from './rename-dialog.tsx';

const icon = 'size-4 text-ink-faint';

type SessionMenuProps = {
  readonly session: Pick<SessionResource, 'id' | 'title' | 'archived'>;
  /** The session's own members have changed: events do not carry them. */
  readonly onChanged: (change: Partial<Pick<SessionResource, 'title' | 'archived'>>) => void;
  readonly onError: (error: unknown) => void;
};

export const SessionMenu = ({ session, onChanged, onError }: SessionMenuProps) => {
  const t = useText();
  const { sessions } = useClient();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const change = (call: Promise<SessionResource>): void => {
    call.then(({ title, archived }) => onChanged({ title, archived })).catch(onError);
  };
  const remove = (): void => {
    sessions
      .delete(session.id)
      .then(() => {
        go({ kind: 'new' }, { replace: true });
        onChanged({});
      })
      .catch(onError);
  };
  const trigger = (
    <IconButton label={t('sessionMenu')}>
      <Ellipsis aria-hidden className="size-5" />
    </IconButton>
  );
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon={<Pencil aria-hidden className={icon} />} onSelect={() => setDialog('rename')}>
          {t('rename')}
        </MenuItem>
        <MenuItem
          icon={<Link aria-hidden className={icon} />}
          onSelect={() => void copyText(new URL(addressOf({ kind: 'session', id: session.id }), location.href).href)}
        >
          {t('copyLink')}
        </MenuItem>
        <MenuItem icon={<Hash aria-hidden className={icon} />} onSelect={() => void copyText(session.id)}>
          {t('copyId')}
        </MenuItem>
        <MenuSeparator />
        {session.archived ? (
          <MenuItem icon={<ArchiveRestore aria-hidden className={icon} />} onSelect={() => change(sessions.restore(session.id))}>
            {t('unarchive')}
          </MenuItem>
        ) : (
          <MenuItem icon={<Archive aria-hidden className={icon} />} onSelect={() => change(sessions.archive(session.id))}>
            {t('archive')}
          </MenuItem>
        )}
        <MenuItem icon={<Trash2 aria-hidden className="size-4" />} tone="danger" onSelect={() => setDialog('delete')}>
          {t('delete')}
        </MenuItem>
      </Menu>
      <RenameDialog
        open={dialog === 'rename'}
        title={session.title}
        onSave={(title) => change(sessions.patch(session.id, { title }))}
        onClose={() => setDialog(undefined)}
      />
      <ConfirmDialog
        open={dialog === 'delete'}
        title={t('deleteTitle')}
        text={t('deleteText')}
        confirm={t('delete')}
        onConfirm={remove}
        onClose={() => setDialog(undefined)}
      />
    </>
  );
};
