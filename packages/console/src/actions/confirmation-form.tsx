import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/field.tsx';
import type { Answering } from './use-answer.ts';

export const ConfirmationForm = ({ name, answering }: { readonly name: string; readonly answering: Answering }) => {
  const t = useText();
  const [reason, setReason] = useState('');
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <>
      <h3 className="text-[15px] font-semibold">{t('confirmTitle', { name })}</h3>
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          className="h-10! min-w-40 flex-1 max-sm:basis-full"
          aria-label={t('reasonOptional')}
          placeholder={t('reasonOptional')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button className="max-sm:flex-1" disabled={answering.busy} onClick={() => answering.answer({ allow: false, ...why })}>
          {t('deny')}
        </Button>
        <Button variant="primary" className="max-sm:flex-1" disabled={answering.busy} onClick={() => answering.answer({ allow: true, ...why })}>
          {answering.busy ? t('answering') : t('approve')}
        </Button>
      </div>
    </>
  );
};
