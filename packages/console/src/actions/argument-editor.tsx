import { useId } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { TextArea } from '../ui/field.tsx';
import type { ParsedArguments } from './parse-arguments.ts';

type ArgumentEditorProps = {
  readonly text: string;
  readonly parsed: ParsedArguments;
  readonly onChange: (text: string) => void;
  readonly onClose: () => void;
  readonly onSend: () => void;
};

const faultText = (parsed: ParsedArguments): { readonly key: TextKey; readonly values?: Record<string, number> } | undefined => {
  switch (parsed.kind) {
    case 'arguments':
      return undefined;
    case 'not_an_object':
      return { key: 'argumentsNotObject' };
    case 'not_json':
      return { key: 'argumentsNotJson', values: { line: parsed.line, column: parsed.column } };
  }
};

/** The arguments of a call as JSON. Escape puts them back as the agent wrote them, Ctrl+Enter allows the call with them. */
export const ArgumentEditor = ({ text, parsed, onChange, onClose, onSend }: ArgumentEditorProps) => {
  const t = useText();
  const faultId = useId();
  const fault = faultText(parsed);
  return (
    <div className="flex flex-col gap-1.5">
      <TextArea
        autoFocus
        spellCheck={false}
        rows={Math.min(Math.max(text.split('\n').length, 3), 16)}
        aria-label={t('argumentsLabel')}
        aria-invalid={fault !== undefined}
        aria-describedby={faultId}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            // Not a stop of the turn: the key is used up.
            event.preventDefault();
            event.stopPropagation();
            onClose();
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            onSend();
          }
        }}
        className={`font-mono text-[13px] ${fault === undefined ? '' : 'border-danger!'}`}
      />
      <p
        id={faultId}
        role={fault === undefined ? undefined : 'alert'}
        className={`min-h-5 text-[13px] ${fault === undefined ? 'text-ink-faint' : 'text-danger'}`}
      >
        {fault === undefined ? t('argumentsHint') : t(fault.key, fault.values)}
      </p>
    </div>
  );
};
