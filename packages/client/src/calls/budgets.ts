/** What a session may use, with all that it spawns. */
import type { BudgetRequest, BudgetResource } from '@turnkeeper/core/protocol/wire/budget';
import type { Transport } from '../transport/transport.ts';
import { sessionPath } from './paths.ts';

export type BudgetCalls = {
  readonly get: (sessionId: string) => Promise<BudgetResource>;
  /** All limits at once: what is not given is taken away. A turn that a limit stopped goes on when it is resumed after that. */
  readonly set: (sessionId: string, budget: BudgetRequest) => Promise<BudgetResource>;
};

export const createBudgetCalls = ({ request }: Transport): BudgetCalls => ({
  get: (sessionId) => request('GET', `${sessionPath(sessionId)}/budget`),
  set: (sessionId, body) => request('PUT', `${sessionPath(sessionId)}/budget`, { body }),
});
