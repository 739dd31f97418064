import { Check, Circle, RotateCw, X } from 'lucide-react';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { Step } from './first-steps.ts';
import { stepsHidden } from './use-first-steps.ts';

const StepLine = ({ step: { id, text, hint, to, done } }: { readonly step: Step }) => {
  const t = useText();
  const Icon = done ? Check : Circle;
  return (
    <li data-step={id} data-done={done}>
      <PlaceLink to={to} className="group flex gap-2.5 rounded-xl px-2 py-2 transition-colors duration-150 hover:bg-sunken">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${done ? 'text-ok' : 'text-line-strong'}`} />
        <span className="min-w-0">
          <span className={`block text-sm leading-snug ${done ? 'text-ink-faint line-through' : 'font-medium group-hover:text-accent'}`}>{t(text)}</span>
          <span className="sr-only">({t(done ? 'stepDone' : 'stepOpen')})</span>
          {done ? null : <span className="mt-0.5 block text-[13px] leading-snug text-ink-faint">{t(hint)}</span>}
        </span>
      </PlaceLink>
    </li>
  );
};

/** After a restart it is another process. */
const everyMs = 15_000;

/** The line for this very server, and where its data is: for admins, who are the ones who see this card. */
const RestartLine = () => {
  const t = useText();
  const { server } = useClient();
  const info = useLoaded(
    useCallback(() => server.info(), [server]),
    everyMs,
  ).data;
  if (!info) return null;
  return (
    <>
      <code className="mt-1.5 block rounded-lg bg-sunken px-2 py-1 font-mono text-xs">kill -9 {info.pid}</code>
      <span className="mt-1 block text-[13px] leading-snug text-ink-faint [overflow-wrap:anywhere]">{t('restartFolder', { folder: info.dataFolder })}</span>
    </>
  );
};

/** What is worth doing on a fresh installation; it ticks itself, and goes when all is done or nobody wants it. */
export const FirstStepsCard = ({ steps }: { readonly steps: readonly Step[] }) => {
  const t = useText();
  return (
    <section aria-label={t('firstSteps')} className="animate-rise rounded-2xl border border-line bg-surface p-3">
      <div className="flex items-center gap-2 pl-2">
        <h2 className="text-[15px] font-semibold">{t('firstSteps')}</h2>
        <p className="flex-1 text-xs text-ink-faint">{t('firstStepsDone', { done: steps.filter(({ done }) => done).length, count: steps.length })}</p>
        <IconButton label={t('hideSteps')} className="size-8!" onClick={() => stepsHidden.set(true)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <ul className="mt-1 flex flex-col">
        {steps.map((step) => (
          <StepLine key={step.id} step={step} />
        ))}
      </ul>
      <div className="mx-2 mt-2 flex gap-2.5 border-t border-line pt-3 pb-1">
        <RotateCw aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <p className="min-w-0">
          <span className="block text-sm leading-snug font-medium">{t('restartNow')}</span>
          <span className="mt-0.5 block text-[13px] leading-snug text-ink-faint">{t('restartNowHint')}</span>
          <RestartLine />
          <span className="mt-2 block text-[13px] leading-snug text-ink-faint">{t('tokenNote')}</span>
        </p>
      </div>
    </section>
  );
};
