import type { BudgetResource } from '@turnkeeper/core/protocol/wire/budget';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { budgetOf, limitNames, textsOf } from './budget-limits.ts';

type BudgetDialogProps = { readonly sessionId: string; readonly title: string; readonly onClose: () => void };

const limitTexts = {
  max_cost: 'budgetCost',
  max_total_tokens: 'budgetTokens',
  max_model_calls: 'budgetCalls',
  max_tokens_per_turn: 'budgetTurnTokens',
} as const;

const BudgetForm = ({ sessionId, title, budget, onClose }: BudgetDialogProps & { readonly budget: BudgetResource }) => {
  const t = useText();
  const locale = useLocale();
  const { budgets } = useClient();
  const { busy, fault, act } = useAct();
  const [texts, setTexts] = useState(() => textsOf(budget));
  const currency = budget.currency ?? 'USD';
  const wished = budgetOf(texts, currency);
  const { used } = budget;
  const save = async (): Promise<void> => {
    if (wished && (await act(() => budgets.set(sessionId, wished)))) onClose();
  };
  const usedTexts = {
    max_cost: new Intl.NumberFormat(locale, { style: 'currency', currency, maximumSignificantDigits: 3 }).format(used.cost),
    max_total_tokens: used.total_tokens.toLocaleString(locale),
    max_model_calls: used.model_calls.toLocaleString(locale),
    max_tokens_per_turn: used.turn_tokens?.toLocaleString(locale),
  };
  return (
    <FormDialog
      title={t('budgetOf', { title: title || t('untitled') })}
      submit={t('save')}
      busy={busy}
      incomplete={!wished}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="text-sm text-ink-soft">{t('budgetNote')}</p>
      {limitNames.map((name) => (
        <Field
          key={name}
          label={name === 'max_cost' ? t('budgetCost', { currency }) : t(limitTexts[name])}
          hint={usedTexts[name] === undefined ? t('emptyIsNoLimit') : t('budgetUsed', { used: usedTexts[name] })}
        >
          {(id) => <TextInput id={id} inputMode="decimal" value={texts[name]} onChange={(event) => setTexts({ ...texts, [name]: event.target.value })} />}
        </Field>
      ))}
    </FormDialog>
  );
};

/** What a session may use, with all that it delegates. */
export const BudgetDialog = (props: BudgetDialogProps) => {
  const t = useText();
  const { budgets, sessions } = useClient();
  const loaded = useLoaded(
    useCallback(async () => {
      const [budget, session] = await Promise.all([budgets.get(props.sessionId), sessions.get(props.sessionId)]);
      return { budget, isRecord: session.imported === true };
    }, [budgets, sessions, props.sessionId]),
  );
  if (loaded.data && !loaded.data.isRecord) return <BudgetForm {...props} budget={loaded.data.budget} />;
  return (
    <Dialog open onClose={props.onClose} label={t('budget')} className="w-[min(28rem,calc(100vw-1.5rem))] rounded-2xl border border-line p-6">
      <LoadState loaded={loaded} />
      {loaded.data ? <Notice>{t('importedNote')}</Notice> : null}
    </Dialog>
  );
};
