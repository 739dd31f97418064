import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { Archive, ArchiveRestore, Braces, Download, Ellipsis, Hash, Link, Pencil, SquareTerminal, Trash2, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useCommandAccess } from '../composer/command-access.ts';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { type CopyForm, copyForms } from '../palette/copy-forms.ts';
import { addressOf } from '../shell/address.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { copyText } from '../ui/copy-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { saveAs } from '../ui/save-as.ts';
import { RenameDialog } from './rename-dialog.tsx';

const icon = 'size-4 text-ink-faint';

const formTexts: Record<CopyForm, TextKey> = { curl: 'copyAsCurl', cli: 'copyAsCli', typescript: 'copyAsTypeScript' };
const formIcons = { curl: Webhook, cli: SquareTerminal, typescript: Braces } as const;

/** The session by other ways, each ready to run. */
const CopyItems = ({ id }: { readonly id: string }) => {
  const t = useText();
  const { user } = useSignedIn();
  const access = useCommandAccess();
  const forms = copyForms({ kind: 'session', id }, user?.roles.includes('admin') === true, Date.now());
  return (
    <>
      <MenuItem icon={<Link aria-hidden className={icon} />} onSelect={() => void copyText(new URL(addressOf({ kind: 'session', id }), location.href).href)}>
        {t('copyLink')}
      </MenuItem>
      <MenuItem icon={<Hash aria-hidden className={icon} />} onSelect={() => void copyText(id)}>
        {t('copyId')}
      </MenuItem>
      {(Object.keys(formTexts) as CopyForm[]).map((form) => {
        const make = forms[form];
        const Icon = formIcons[form];
        return make ? (
          <MenuItem key={form} icon={<Icon aria-hidden className={icon} />} onSelect={() => void access().then((by) => copyText(make(by)))}>
            {t(formTexts[form])}
          </MenuItem>
        ) : null;
      })}
    </>
  );
};

type SessionMenuProps = {
  readonly session: Pick<SessionResource, 'id' | 'title' | 'archived'>;
  /** The session's own members have changed: events do not carry them. */
  readonly label: string;
  /** Without it only what changes nothing is offered. */
  readonly control: boolean;
  readonly onChanged: (change: Partial<Pick<SessionResource, 'title' | 'archived'>>) => void;
  readonly onDeleted: () => void;
  readonly onError: (error: unknown) => void;
};

type EndItemsProps = { readonly archived: boolean; readonly onArchive: () => void; readonly onRestore: () => void; readonly onDelete: () => void };

const EndItems = ({ archived, onArchive, onRestore, onDelete }: EndItemsProps) => {
  const t = useText();
  return (
    <>
      {archived ? (
        <MenuItem icon={<ArchiveRestore aria-hidden className={icon} />} onSelect={onRestore}>
          {t('unarchive')}
        </MenuItem>
      ) : (
        <MenuItem icon={<Archive aria-hidden className={icon} />} onSelect={onArchive}>
          {t('archive')}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 aria-hidden className="size-4" />} tone="danger" onSelect={onDelete}>
        {t('delete')}
      </MenuItem>
    </>
  );
};

export const SessionMenu = ({ session, label, control, onChanged, onDeleted, onError }: SessionMenuProps) => {
  const t = useText();
  const { sessions } = useSignedIn().client;
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const change = (call: Promise<SessionResource>): void => {
    call.then(({ title, archived }) => onChanged({ title, archived })).catch(onError);
  };
  const remove = (): void => {
    sessions.delete(session.id).then(onDeleted).catch(onError);
  };
  const exportEvents = (): void => {
    sessions
      .exportEvents(session.id)
      .then(async (answer) => saveAs(await answer.blob(), `${session.id}.ndjson`))
      .catch(onError);
  };
  const trigger = (
    <IconButton label={label}>
      <Ellipsis aria-hidden className="size-5" />
    </IconButton>
  );
  return (
    <>
      <Menu trigger={trigger}>
        {control ? (
          <MenuItem icon={<Pencil aria-hidden className={icon} />} onSelect={() => setDialog('rename')}>
            {t('rename')}
          </MenuItem>
        ) : null}
        <CopyItems id={session.id} />
        <MenuSeparator />
        <MenuItem icon={<Download aria-hidden className={icon} />} onSelect={exportEvents}>
          {t('exportSession')}
        </MenuItem>
        {control ? (
          <EndItems
            archived={session.archived}
            onArchive={() => change(sessions.archive(session.id))}
            onRestore={() => change(sessions.restore(session.id))}
            onDelete={() => setDialog('delete')}
          />
        ) : null}
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
