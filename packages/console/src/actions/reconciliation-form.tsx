import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextArea, TextInput } from '../ui/field.tsx';
import { resultValue } from './result-value.ts';
import type { Answering } from './use-answer.ts';

export const ReconciliationForm = ({ name, answering }: { readonly name: string; readonly answering: Answering }) => {
  const t = useText();
  const [output, setOutput] = useState('');
  const [reason, setReason] = useState('');
  const answer = (outcome: 'succeeded' | 'failed') => () => answering.answer({ outcome, output: resultValue(output), reason: reason.trim() });
  const ready = !answering.busy && reason.trim() !== '';
  return (
    <>
      <div>
        <h3 className="text-[15px] font-semibold">{t('reconcileTitle', { name })}</h3>
        <p className="text-[13px] text-ink-soft">{t('reconcileHint')}</p>
      </div>
      <TextArea
        rows={2}
        aria-label={t('resultLabel')}
        placeholder={t('resultPlaceholder')}
        value={output}
        onChange={(event) => setOutput(event.target.value)}
        className="font-mono text-[13px]"
      />
      <TextInput aria-label={t('reconcileReason')} placeholder={t('reconcileReason')} value={reason} onChange={(event) => setReason(event.target.value)} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {reason.trim() === '' ? <p className="mr-auto text-[13px] text-ink-faint">{t('reconcileReasonNeeded')}</p> : null}
        <Button className="max-sm:flex-1" disabled={!ready} onClick={answer('failed')}>
          {t('reconcileFailed')}
        </Button>
        <Button variant="primary" className="max-sm:flex-1" disabled={!ready} onClick={answer('succeeded')}>
          {answering.busy ? t('answering') : t('reconcileSucceeded')}
        </Button>
      </div>
    </>
  );
};
