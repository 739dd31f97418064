/** The budget of a session. */
import { budgetRequest, budgetResource } from '@turnkeeper/core/protocol/wire/budget';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath } from './addresses.ts';

const tag = 'usage';

const read = operation(
  { summary: 'The budget of a session, and what is used of it', tag, answers: { 200: budgetResource }, errors: [403, 404] },
  { params: sessionParams },
);
const set = operation(
  {
    summary: 'Set the budget of a session',
    description:
      'All limits at once: `{}` clears them. They hold over the session and all that it spawns, from the next model call on. At a limit the turn is interrupted (`budget_exceeded`) and holds its queue; once the limit was raised, `resume` goes on with it.',
    tag,
    answers: { 200: budgetResource },
    errors: [403, 404, 409],
  },
  { params: sessionParams, body: budgetRequest },
);

export const registerBudget = (api: Api, { app }: ApiServices): void => {
  api.get(`${sessionPath}/budget`, { schema: read }, ({ caller, params }) => readBudget(app, caller, params.sessionId));
  api.put(`${sessionPath}/budget`, { schema: set }, ({ caller, params, body }) => setBudget(app, caller, params.sessionId, body));
};
