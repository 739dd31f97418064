import { freshKey } from '@turnkeeper/client/fresh-key';
import type { BudgetResource } from '@turnkeeper/core/protocol/wire/budget';
import { contextWindowOf } from '@turnkeeper/core/session/context-windows';
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useSessionAccess } from '../auth/session-access-context.ts';
import { useClient } from '../auth/signed-in-context.ts';
import { formatCost, formatMoney } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import type { InspectorProps } from './inspector.tsx';
import { draftOf, requestOf } from './limits-form.ts';
import { Meter } from './meter.tsx';

/** What the newest call had before it, and how much would fit. */
const ContextMeter = ({ session, view }: Pick<InspectorProps, 'session' | 'view'>) => {
  const t = useText();
  const locale = useLocale();
  const used = view.usage.context_tokens;
  if (used === undefined) return <Meter label={t('contextNow')} text={t('contextUnknown')} hint={t('contextHint')} />;
  const limit = session.target.model === undefined ? undefined : contextWindowOf(session.target.model);
  const count = used.toLocaleString(locale);
  const text = limit === undefined ? t('tokens', { count }) : t('ofTokens', { used: count, limit: limit.toLocaleString(locale) });
  return <Meter label={t('contextNow')} text={text} hint={t('contextHint')} {...(limit === undefined ? {} : { part: used / limit })} />;
};

type Share = { readonly text: string; readonly part: number | undefined };

/** What was used of each limit; without any, what was used. */
const useShares = (budget: BudgetResource): readonly Share[] => {
  const t = useText();
  const locale = useLocale();
  const { used, currency = 'USD' } = budget;
  const number = (value: number): string => value.toLocaleString(locale);
  const money = (value: number): string => formatMoney(value, currency, locale);
  const of = (limit: number | undefined, value: number, print: (value: number) => string): Share =>
    limit === undefined
      ? { text: print(value), part: undefined }
      : { text: t('usedOf', { used: print(value), limit: print(limit) }), part: value / Math.max(limit, 1e-9) };
  return [
    of(budget.max_total_tokens, used.total_tokens, (value) => t('tokens', { count: number(value) })),
    of(budget.max_cost, used.cost, money),
    of(budget.max_model_calls, used.model_calls, (value) => t('modelCallCount', { count: number(value) })),
  ];
};

const SpentMeter = ({ budget, view }: { readonly budget: BudgetResource; readonly view: InspectorProps['view'] }) => {
  const t = useText();
  const locale = useLocale();
  const shares = useShares(budget);
  const limited = shares.filter(({ part }) => part !== undefined);
  const highest = Math.max(...limited.map(({ part = 0 }) => part), 0);
  const cost = formatCost(view.usage, locale, t);
  // Without a limit of its own the cost is what the session knows, in whatever currency.
  const texts = budget.max_cost === undefined ? [shares[0]?.text, ...(cost === undefined ? [] : [cost]), shares[2]?.text] : shares.map(({ text }) => text);
  return (
    <Meter
      label={t('spentMeter')}
      text={texts.join(' · ')}
      hint={limited.length === 0 ? t('ownLimitNone') : t('ownLimitHint')}
      {...(limited.length === 0 ? {} : { part: highest })}
    />
  );
};

type LimitsFormProps = { readonly sessionId: string; readonly budget: BudgetResource; readonly stoppedTurn: string | undefined; readonly onSaved: () => void };

/** All limits at once; a turn that one of them stopped goes on with the same click. */
const LimitsForm = ({ sessionId, budget, stoppedTurn, onSaved }: LimitsFormProps) => {
  const t = useText();
  const client = useClient();
  const [draft, setDraft] = useState(() => draftOf(budget));
  const [saved, setSaved] = useState(false);
  const { act, busy, fault } = useAct();
  const request = requestOf(draft, budget);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!request) return;
    const done = await act(async () => {
      await client.budgets.set(sessionId, request);
      if (stoppedTurn !== undefined) await client.turns.resume(sessionId, stoppedTurn, { idempotencyKey: freshKey('resume') });
    });
    setSaved(done);
    if (done) onSaved();
  };
  const field = (label: string, name: keyof typeof draft) => (
    <Field label={label}>
      {(id) => (
        <TextInput
          id={id}
          inputMode="decimal"
          placeholder={t('ownLimitNone')}
          value={draft[name]}
          onChange={(event) => {
            setSaved(false);
            setDraft({ ...draft, [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      {stoppedTurn === undefined ? null : <Notice tone="warn">{t('interruptedBudget')}</Notice>}
      {field(t('ownLimitTokens'), 'tokens')}
      {field(t('ownLimitCost', { currency: budget.currency ?? 'USD' }), 'cost')}
      {field(t('ownLimitCalls'), 'calls')}
      {request ? null : <p className="text-[13px] text-danger">{t('ownLimitFault')}</p>}
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" disabled={busy || !request}>
          {stoppedTurn === undefined ? t('ownLimitSave') : t('ownLimitResume')}
        </Button>
        <span role="status" className="text-[13px] text-ok">
          {saved ? t('ownLimitSaved') : ''}
        </span>
      </div>
    </form>
  );
};

/** How full the context is and what was spent are two things, and two meters. */
export const BudgetPanel = ({ sessionId, session, view }: InspectorProps) => {
  const client = useClient();
  const { control, interact } = useSessionAccess();
  const budget = useLoaded(
    useCallback(() => client.budgets.get(sessionId), [client, sessionId]),
    10_000,
  );
  const { data: shown, reload } = budget;
  const { model_calls: calls } = view.usage;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when a model call was counted
  useEffect(reload, [calls]);
  const stopped = view.turns.find(({ data }) => data.status === 'interrupted' && data.reason === 'budget_exceeded')?.data.turn_id;
  return (
    <div className="flex flex-col gap-6">
      <ContextMeter session={session} view={view} />
      {shown ? <SpentMeter budget={shown} view={view} /> : <LoadState loaded={budget} />}
      {shown && control && interact ? <LimitsForm sessionId={sessionId} budget={shown} stoppedTurn={stopped} onSaved={reload} /> : null}
    </div>
  );
};
