/** What an application may still spend. */
import { type Refusal, refuse } from '@turnkeeper/core/protocol/errors';
import type { App } from './app.ts';

/**
 * Why the owner gets no new turn now: its budget of tokens is spent, by what models have reported. Turns that were
 * accepted go on; undefined = it may.
 */
export const budgetRefusal = async ({ sessions }: Pick<App, 'sessions'>, owner: string): Promise<Refusal | undefined> => {
  await sessions.limits.ready(owner);
  const limit = sessions.limits.of(owner)?.tokens;
  if (limit === undefined) return undefined;
  const { tokens } = await sessions.store.quota(owner);
  return tokens < limit
    ? undefined
    : refuse('token_budget_exhausted', `The application has used ${tokens} tokens; its budget is ${limit}.`, { limit, used: tokens });
};
