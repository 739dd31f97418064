import { Check, Keyboard, SquareTerminal, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { useCopied } from '../ui/use-copied.ts';
import { type CommandAccess, useCommandAccess } from './command-access.ts';

const way =
  'flex min-h-9 min-w-0 flex-1 items-center justify-center gap-2 px-2 py-1 text-[13px] leading-tight text-ink-faint max-sm:min-h-14 max-sm:flex-col max-sm:gap-1 max-sm:px-1 max-sm:text-[11px] transition-colors duration-150 hover:bg-sunken hover:text-ink first:rounded-l-xl last:rounded-r-xl focus-visible:z-10';
const icon = 'size-4 shrink-0';

type MakeText = (access: CommandAccess) => string;

const CopyWay = ({ label, text, children }: { readonly label: string; readonly text: MakeText; readonly children: ReactNode }) => {
  const t = useText();
  const access = useCommandAccess();
  const { copied, copy } = useCopied();
  return (
    <button type="button" className={way} onClick={() => void access().then((by) => copy(text(by)))} title={label}>
      {copied ? <Check aria-hidden className={`${icon} text-ok`} /> : children}
      <span aria-live="polite" className="min-w-0 text-center max-sm:max-w-full sm:text-left">
        {copied ? t('copied') : label}
      </span>
    </button>
  );
};

/** The page is one of three equal ways: the API and the terminal reach the same session. */
export const WaysIn = ({ curl, terminal }: { readonly curl: MakeText; readonly terminal: MakeText }) => {
  const t = useText();
  return (
    <fieldset aria-label={t('waysIn')} className="flex min-w-0 divide-x divide-line">
      <button type="button" className={way} onClick={() => document.getElementById('message')?.focus()}>
        <Keyboard aria-hidden className={icon} />
        <span className="min-w-0 text-center max-sm:max-w-full sm:text-left">{t('typeHere')}</span>
      </button>
      <CopyWay label={t('copyCurl')} text={curl}>
        <Webhook aria-hidden className={icon} />
      </CopyWay>
      <CopyWay label={t('copyTerminal')} text={terminal}>
        <SquareTerminal aria-hidden className={icon} />
      </CopyWay>
    </fieldset>
  );
};
