import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { CodeBox } from '../timeline/tool-output.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea, TextInput } from '../ui/field.tsx';
import type { ResultFormProps } from './result-form-props.ts';
import { resultValue } from './result-value.ts';

export const ReconciliationForm = ({ name, input, answering }: ResultFormProps) => {
  const t = useText();
  const [output, setOutput] = useState('');
  const [reason, setReason] = useState('');
  const answer = (outcome: 'succeeded' | 'failed') => () => answering.answer({ outcome, output: resultValue(output), reason: reason.trim() });
  const ready = !answering.busy && reason.trim() !== '';
  return (
    <>
      <div>
        <h2 className="text-[15px] font-semibold">{t('reconcileTitle', { name })}</h2>
        <p className="text-[13px] text-ink-soft">{t('reconcileHint')}</p>
      </div>
      {input === undefined ? null : <CodeBox label={t('toolInput')} text={JSON.stringify(input, null, 2)} />}
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
        <Button className="max-sm:h-12 max-sm:flex-1" disabled={!ready} onClick={answer('failed')}>
          {t('reconcileFailed')}
        </Button>
        <Button variant="primary" className="max-sm:h-12 max-sm:flex-1" disabled={!ready} onClick={answer('succeeded')}>
          {answering.busy ? t('answering') : t('reconcileSucceeded')}
        </Button>
      </div>
    </>
  );
};
