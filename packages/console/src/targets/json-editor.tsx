import { useId, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';
import { TextArea } from '../ui/field.tsx';
import type { Fault } from '../ui/use-act.ts';
import { lineOf, readDraft } from './draft-json.ts';

type JsonEditorProps = {
  readonly label: string;
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly rows?: number;
  readonly onChange: (text: string) => void;
};

/** JSON to be written, with what is wrong with it and where. A fault leads to its line. */
export const JsonEditor = ({ label, text, faults, rows = 14, onChange }: JsonEditorProps) => {
  const t = useText();
  const id = useId();
  const ref = useRef<HTMLTextAreaElement>(null);
  const { value, line, column } = readDraft(text);
  const goTo = (wanted: number): void => {
    const start =
      text
        .split('\n')
        .slice(0, wanted - 1)
        .join('\n').length + (wanted > 1 ? 1 : 0);
    const end = text.indexOf('\n', start);
    ref.current?.focus();
    ref.current?.setSelectionRange(start, end === -1 ? text.length : end);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
        {label}
      </label>
      <TextArea
        ref={ref}
        id={id}
        rows={rows}
        spellCheck={false}
        value={text}
        aria-invalid={value === undefined || faults.length > 0}
        onChange={(event) => onChange(event.target.value)}
        className="font-mono text-[13px]"
      />
      {value === undefined ? (
        <p role="alert" className="text-[13px] text-danger">
          {line === undefined ? t('argumentsNotObject') : t('argumentsNotJson', { line, column: column ?? 1 })}
        </p>
      ) : null}
      {faults.length === 0 ? null : (
        <ul aria-label={t('faultsLabel')} className="flex flex-col gap-1 text-[13px]">
          {faults.map(({ pointer, detail }) => {
            const at = lineOf(text, pointer);
            return (
              <li key={`${pointer} ${detail}`} className="text-danger">
                {at === undefined ? (
                  <code>{pointer || '/'}</code>
                ) : (
                  <button type="button" onClick={() => goTo(at)} className="rounded-md font-mono underline underline-offset-3">
                    {t('faultAtLine', { pointer: pointer || '/', line: at })}
                  </button>
                )}
                {': '}
                {detail}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
};
