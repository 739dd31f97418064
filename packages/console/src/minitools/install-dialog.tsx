import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { controlClass, Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { useAct } from '../ui/use-act.ts';

type InstallDialogProps = { readonly onInstalled: (id: string) => void; readonly onClose: () => void };

const ways = ['npm', 'file', 'folder'] as const;
type Way = (typeof ways)[number];
const wayTexts = { npm: 'fromNpm', file: 'fromFile', folder: 'fromFolder' } as const;

/** A folder or a file where the name of a package belongs: npm would look for it in vain. */
const isPath = (written: string): boolean => /^([./~\\]|[a-z]:\\)|\.t(ar\.)?gz$/i.test(written.trim());

/** A package by name, a packed one from this device, or a folder of the server's machine. */
export const InstallDialog = ({ onInstalled, onClose }: InstallDialogProps) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, faults, act } = useAct();
  const [way, setWay] = useState<Way>('npm');
  const [written, setWritten] = useState('');
  const [file, setFile] = useState<File>();
  const [link, setLink] = useState(false);
  const install = (): Promise<boolean> =>
    act(async () => {
      const source = `${way}:${written.trim()}`;
      const answer = way === 'file' && file ? minitools.upload(file, file.name) : minitools.install({ source, ...(way === 'folder' && link ? { link } : {}) });
      onInstalled((await answer).minitool.id);
    });
  const misplaced = way === 'npm' && isPath(written);
  const details = faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('\n');
  return (
    <FormDialog
      title={t('installTitle')}
      submit={t(busy ? 'installing' : 'install')}
      busy={busy}
      incomplete={way === 'file' ? file === undefined : written.trim() === '' || misplaced}
      fault={details === '' ? fault : details}
      onSubmit={() => void install()}
      onClose={onClose}
    >
      <p className="text-sm text-ink-soft">{t('installNote')}</p>
      <Field label={t('installFrom')}>
        {(id) => (
          <Select id={id} value={way} onChange={(event) => setWay(event.target.value as Way)}>
            {ways.map((each) => (
              <option key={each} value={each}>
                {t(wayTexts[each])}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {way === 'file' ? (
        <Field label={t('packageFile')} hint={t('packageFileHint')}>
          {(id) => (
            <input id={id} type="file" accept=".tgz,.tar.gz,application/gzip" className={controlClass} onChange={(event) => setFile(event.target.files?.[0])} />
          )}
        </Field>
      ) : (
        <Field
          label={t(way === 'npm' ? 'packageName' : 'folderPath')}
          hint={t(misplaced ? 'packageIsPath' : way === 'npm' ? 'packageNameHint' : 'folderPathHint')}
        >
          {(id) => <TextInput id={id} value={written} spellCheck={false} autoCapitalize="none" onChange={(event) => setWritten(event.target.value)} />}
        </Field>
      )}
      {way === 'folder' ? (
        <label className="flex items-center gap-2.5 text-sm">
          <input type="checkbox" checked={link} onChange={(event) => setLink(event.target.checked)} className="size-4 accent-accent" />
          {t('linkFolder')}
        </label>
      ) : null}
    </FormDialog>
  );
};
