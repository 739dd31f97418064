import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAct } from '../ui/use-act.ts';
import { withName } from './names.ts';

type NameDialogProps = {
  readonly sessionId: string;
  readonly checkpointId: string;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

const mostCharacters = 80;

export const NameDialog = ({ sessionId, checkpointId, name, onDone, onClose }: NameDialogProps) => {
  const t = useText();
  const { sessions } = useClient();
  const [value, setValue] = useState(name);
  const { busy, fault, act } = useAct();
  const save = async (): Promise<void> => {
    const done = await act(async () => {
      // Read just before: others may have named something meanwhile.
      const { metadata } = await sessions.get(sessionId);
      await sessions.patch(sessionId, { metadata: withName(metadata, checkpointId, value) });
    });
    if (!done) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog title={t('checkpointNameTitle')} submit={t('save')} busy={busy} fault={fault} onSubmit={() => void save()} onClose={onClose}>
      <Field label={t('checkpointName')} hint={t('checkpointNameHint')}>
        {(id) => <TextInput id={id} value={value} maxLength={mostCharacters} autoFocus onChange={({ target }) => setValue(target.value)} />}
      </Field>
    </FormDialog>
  );
};
