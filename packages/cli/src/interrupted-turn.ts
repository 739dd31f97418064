/** Why a turn was interrupted, and what lets it go on: an answer, or more of its budget. */
import type { BudgetResource } from '@turnkeeper/core/protocol/wire/budget';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from './command-context.ts';
import { programName } from './program-name.ts';

type Limit = { readonly text: string; readonly raise: string };

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 6 });

/** The limits of which nothing is left. */
const reachedLimits = ({ used, ...max }: BudgetResource): readonly Limit[] => {
  const { max_model_calls: calls, max_total_tokens: tokens, max_cost: cost, currency = '', max_tokens_per_turn: perTurn } = max;
  const of = (used: number | null, limit: number | undefined, what: string, raise: string): readonly Limit[] =>
    used === null || limit === undefined || used < limit ? [] : [{ text: `${number(used)} of ${number(limit)} ${what}`, raise }];
  return [
    ...of(used.model_calls, calls, 'model calls', '--calls N'),
    ...of(used.total_tokens, tokens, 'tokens', '--tokens N'),
    ...of(used.cost, cost, `${currency} of cost`.trim(), '--cost N'),
    ...of(used.turn_tokens, perTurn, 'tokens of the turn', '--per-turn N'),
  ];
};

const budgetText = async ({ client }: CommandContext, sessionId: string): Promise<string> => {
  // Whoever may read the turn may read its budget; if that fails all the same, what to do is known without it.
  const limits = await client.budgets.get(sessionId).then(reachedLimits, () => []);
  const which = limits.length === 0 ? 'a limit of the session, or of one above it, is reached' : `${limits.map(({ text }) => text).join(', ')} are used`;
  const raise = limits.length === 0 ? '--calls N (or --tokens, --cost, --per-turn)' : limits.map((limit) => limit.raise).join(' ');
  return `budget_exceeded: ${which}. Raise it: ${programName} budget ${sessionId} ${raise}, then: ${programName} resume ${sessionId}`;
};

export const interruptedText = async (context: CommandContext, sessionId: string, { reason, error_code }: TurnBody): Promise<string> => {
  if (reason === 'budget_exceeded') return budgetText(context, sessionId);
  if (reason === 'tool_result_unknown')
    return `${reason}: nobody knows whether a call had its effect. Say it with: ${programName} answer ${sessionId} --outcome succeeded (or failed)`;
  return `${reason ?? error_code ?? 'interrupted'}. Let it go on with: ${programName} resume ${sessionId}`;
};

/** Tells of each turn that is interrupted, once a run of it. `told` resolves when all of it is said. */
export const createInterruptionRemarks = (context: CommandContext, sessionId: string) => {
  const seen = new Set<string>();
  const telling: Promise<void>[] = [];
  return {
    see: (view: SessionView): void => {
      for (const { data } of view.turns) {
        const key = `${data.turn_id} ${data.runs}`;
        if (data.status !== 'interrupted' || seen.has(key)) continue;
        seen.add(key);
        telling.push(interruptedText(context, sessionId, data).then((text) => context.note(`interrupted: ${text}`)));
      }
    },
    told: (): Promise<unknown> => Promise.all(telling),
  };
};
