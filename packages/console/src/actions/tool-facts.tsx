import { toolFactsOf } from '@turnkeeper/client/view/tool-facts';
import { Puzzle, TriangleAlert } from 'lucide-react';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import type { ShownAction } from './shown-action.ts';

const warnings: { readonly [Kind in 'destructive' | 'dangerous']: { readonly look: string; readonly text: TextKey; readonly hint: TextKey } } = {
  destructive: { look: 'border-danger/40 bg-danger-soft text-danger', text: 'toolDestructive', hint: 'toolDestructiveHint' },
  dangerous: { look: 'border-warn-line bg-warn-soft text-warn', text: 'toolDangerous', hint: 'toolDangerousHint' },
};

/** In words and with a sign: no colour says it alone. */
const Warning = ({ of }: { readonly of: keyof typeof warnings }) => {
  const t = useText();
  const { look, text, hint } = warnings[of];
  return (
    <p className={`flex items-start gap-2 rounded-xl border px-3 py-2 text-[13px] leading-snug ${look}`}>
      <TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />
      <span>
        <strong className="font-semibold">{t(text)}</strong> {t(hint)}
      </span>
    </p>
  );
};

/** What somebody should know of a tool before they answer: what it warns of, what it calls itself, and whose it is. */
export const ToolFactsLines = ({ action }: { readonly action: ShownAction }) => {
  const t = useText();
  const facts = toolFactsOf(action);
  if (!facts) return null;
  const { title, minitool, destructive, dangerous } = facts;
  return (
    <div className="flex flex-col gap-2" data-tool-facts={destructive ? 'destructive' : dangerous ? 'dangerous' : 'plain'}>
      {destructive ? <Warning of="destructive" /> : null}
      {dangerous ? <Warning of="dangerous" /> : null}
      {title === undefined && minitool === undefined ? null : (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-[13px] text-ink-soft">
          {title === undefined ? null : <bdi className="min-w-0 font-medium break-words">{t('toolTitle', { title })}</bdi>}
          {minitool === undefined ? null : (
            <span className="inline-flex min-w-0 items-center gap-1.5">
              <Puzzle aria-hidden className="size-3.5 shrink-0" />
              <bdi className="min-w-0 [overflow-wrap:anywhere]">{t('fromMinitool', minitool)}</bdi>
            </span>
          )}
        </p>
      )}
    </div>
  );
};
