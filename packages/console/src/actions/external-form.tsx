import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { CodeBox } from '../timeline/tool-output.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import type { ResultFormProps } from './result-form-props.ts';
import { resultValue } from './result-value.ts';

export const ExternalForm = ({ name, input, answering }: ResultFormProps) => {
  const t = useText();
  const [text, setText] = useState('');
  return (
    <>
      <div>
        <h2 className="text-[15px] font-semibold">{t('externalTitle', { name })}</h2>
        <p className="text-[13px] text-ink-soft">{t('externalHint')}</p>
      </div>
      {input === undefined ? null : <CodeBox label={t('toolInput')} text={JSON.stringify(input, null, 2)} />}
      <TextArea
        aria-label={t('resultLabel')}
        placeholder={t('resultPlaceholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="font-mono text-[13px]"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          className="max-sm:h-12 max-sm:flex-1"
          disabled={answering.busy || text.trim() === ''}
          onClick={() => answering.answer({ output: text, is_error: true })}
        >
          {t('reportError')}
        </Button>
        <Button
          variant="primary"
          className="max-sm:h-12 max-sm:flex-1"
          disabled={answering.busy || text.trim() === ''}
          onClick={() => answering.answer({ output: resultValue(text), is_error: false })}
        >
          {answering.busy ? t('answering') : t('sendResult')}
        </Button>
      </div>
    </>
  );
};
