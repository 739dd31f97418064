/** What goes on now, over all sessions of the caller. */
import { overviewAnswer, overviewQuery } from '@turnkeeper/core/protocol/wire/overview';
import { readOverview } from '../../app/overview.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';

const read = operation(
  {
    summary: 'What runs, waits and failed, and what today cost',
    description:
      'Over the sessions that you may read, or those of one `owner` as in their list. Turns that failed count for 24 hours. It looks through a limited number ' +
      'of sessions, those first that changed last: `complete` says whether that was all.',
    tag: 'sessions',
    answers: { 200: overviewAnswer },
    errors: [403],
  },
  { querystring: overviewQuery },
);

export const registerOverview = (api: Api, { app }: ApiServices): void => {
  api.get('/overview', { schema: read }, ({ caller, query }) => readOverview(app, caller, query));
};
