/**
 * Use cases: the budget of a session.
 *
 * The limits are set first, then it is noted in the session's log: whoever dies between the two has set them all the same,
 * and lost no more than what is warned of again.
 */
import type { BudgetRequest, BudgetResource } from '@turnkeeper/core/protocol/wire/budget';
import { type Budget, levelsOf, usesOf } from '@turnkeeper/core/session/budget';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { findSession, refuseRecord, sessionGone } from './find-session.ts';
import type { Session } from './lane.ts';
import { runJob } from './run-job.ts';

export const readBudget = async (app: App, caller: Caller, sessionId: string): Promise<BudgetResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const limited = await app.budgets.store.limited(session.row.root);
  return resourceOf(app, session, limited.find(({ sid }) => sid === session.head.sid)?.budget ?? {});
};

/** Sets all limits: those that are not given are taken away. */
export const setBudget = async (app: App, caller: Caller, sessionId: string, body: BudgetRequest): Promise<BudgetResource> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'manage');
  refuseRecord(session);
  const { id, root } = session.row;
  const budget = budgetOf(body);
  await app.budgets.willLimit(root);
  const audit = auditOf(app, caller, { action: 'budget.set', subject: `session:${id}`, sessionId: id, details: { ...budget } });
  if (!(await app.budgets.store.put(session.head.sid, budget, app.clock.now(), audit))) throw sessionGone();
  const spending = await app.budgets.spending(session, session.state.live?.id, budget.currency);
  const passed = levelsOf(usesOf(inForce(session, budget), spending));
  await runJob(lane, () => ({ asks: [{ type: 'note_budget', budget, passed }] }));
  return resourceOf(app, session, budget);
};

const budgetOf = (body: BudgetRequest): Budget => ({
  ...(typeof body.max_model_calls === 'number' ? { max_model_calls: body.max_model_calls } : {}),
  ...(typeof body.max_total_tokens === 'number' ? { max_total_tokens: body.max_total_tokens } : {}),
  ...(typeof body.max_cost === 'number' ? { max_cost: body.max_cost, currency: body.currency ?? 'USD' } : {}),
  ...(typeof body.max_tokens_per_turn === 'number' ? { max_tokens_per_turn: body.max_tokens_per_turn } : {}),
});

/** What was frozen at the creation holds while nothing else is set in its place. */
const inForce = ({ row, config: { maxTokensPerTurn } }: Session, budget: Budget): Budget => ({
  ...(maxTokensPerTurn === undefined || row.path !== '' ? {} : { max_tokens_per_turn: maxTokensPerTurn }),
  ...budget,
});

const resourceOf = async (app: App, session: Session, budget: Budget): Promise<BudgetResource> => {
  const turn = session.state.live?.id;
  const { all, turn: inTurn } = await app.budgets.spending(session, turn, budget.currency);
  const { model_calls, total_tokens, cost, unreported_calls, unpriced_calls } = all;
  const used = { model_calls, total_tokens, cost, unreported_calls, unpriced_calls, turn_tokens: turn === undefined ? null : inTurn.total_tokens };
  return { ...inForce(session, budget), used };
};
