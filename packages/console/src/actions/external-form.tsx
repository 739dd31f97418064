import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { resultValue } from './result-value.ts';
import type { Answering } from './use-answer.ts';

export const ExternalForm = ({ name, answering }: { readonly name: string; readonly answering: Answering }) => {
  const t = useText();
  const [text, setText] = useState('');
  return (
    <>
      <div>
        <h3 className="text-[15px] font-semibold">{t('externalTitle', { name })}</h3>
        <p className="text-[13px] text-ink-soft">{t('externalHint')}</p>
      </div>
      <TextArea
        aria-label={t('resultLabel')}
        placeholder={t('resultPlaceholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="font-mono text-[13px]"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="max-sm:flex-1" disabled={answering.busy || text.trim() === ''} onClick={() => answering.answer({ output: text, is_error: true })}>
          {t('reportError')}
        </Button>
        <Button
          variant="primary"
          disabled={answering.busy || text.trim() === ''}
          onClick={() => answering.answer({ output: resultValue(text), is_error: false })}
        >
          {answering.busy ? t('answering') : t('sendResult')}
        </Button>
      </div>
    </>
  );
};
