import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { parseJson } from './parse-json.ts';
import type { Answering } from './use-answer.ts';

/** A signal usually comes from outside; a person may send it, with any JSON. */
export const SignalForm = ({ name, answering }: { readonly name: string; readonly answering: Answering }) => {
  const t = useText();
  const [text, setText] = useState('{}');
  const parsed = parseJson(text);
  return (
    <>
      <div>
        <h2 className="text-[15px] font-semibold break-words">{t('signalTitle', { name })}</h2>
        <p className="text-[13px] text-ink-soft">{t('signalHint')}</p>
      </div>
      <TextArea
        spellCheck={false}
        aria-label={t('signalLabel')}
        aria-invalid={parsed === undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`font-mono text-[13px] ${parsed === undefined ? 'border-danger!' : ''}`}
      />
      <div className="flex justify-end">
        <Button
          variant="primary"
          className="max-sm:h-12 max-sm:flex-1"
          disabled={answering.busy || parsed === undefined}
          onClick={() => {
            if (parsed) void answering.answer(parsed.value);
          }}
        >
          {answering.busy ? t('answering') : t('sendSignal')}
        </Button>
      </div>
    </>
  );
};
