import { type FormEvent, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';

type RenameDialogProps = { readonly open: boolean; readonly title: string; readonly onSave: (title: string) => void; readonly onClose: () => void };

const RenameForm = ({ title, onSave, onClose }: Omit<RenameDialogProps, 'open'>) => {
  const t = useText();
  const [text, setText] = useState(title);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave(text.trim());
    onClose();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <Field label={t('titleLabel')}>
        {(id) => <TextInput id={id} value={text} maxLength={200} autoFocus onChange={(event) => setText(event.target.value)} />}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary">
          {t('save')}
        </Button>
      </div>
    </form>
  );
};

export const RenameDialog = ({ open, ...rest }: RenameDialogProps) => {
  const t = useText();
  return (
    <Dialog open={open} onClose={rest.onClose} label={t('rename')} className="w-[min(26rem,calc(100vw-2rem))] rounded-2xl border border-line p-6">
      <RenameForm {...rest} />
    </Dialog>
  );
};
