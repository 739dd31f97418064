import { useText } from '../i18n/use-text.ts';

export type JsonFault = { readonly line: number; readonly column: number };

/** Why nothing was sent, and the way to send it all the same. */
export const JsonFaultNote = ({ fault: { line, column }, onSendAnyway }: { readonly fault: JsonFault; readonly onSendAnyway: () => void }) => {
  const t = useText();
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-3 px-3 pb-1 text-[13px] leading-relaxed text-danger" data-json-fault>
      {t('argumentsNotJson', { line, column })}
      <button type="button" className="rounded-md text-ink-soft underline underline-offset-3 hover:text-ink" onClick={onSendAnyway}>
        {t('sendAsMessage')}
      </button>
    </p>
  );
};
