/** What was used over a time. */
import { usageReport, usageReportQuery } from '@turnkeeper/core/protocol/wire/usage-report';
import { usageCsv } from '@turnkeeper/core/view/usage-csv';
import { reportUsage } from '../../app/report-usage.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';

const read = operation(
  {
    summary: 'What was used over a time, by day, model, session, target, owner or key',
    description:
      'Of all sessions that the caller may read; admins: all. A turn counts at the moment at which it began. What has no price is never zero: `cost_complete` says so. `complete: false`: there is more than was looked through.',
    tag: 'usage',
    answers: { 200: usageReport },
    errors: [403],
  },
  { querystring: usageReportQuery },
);

const csv = operation(
  {
    summary: 'The same as a table for other programs',
    description:
      'The groups alone, one a line, with a line of names before them (RFC 4180); all of them. Where there is more than was looked through, the name of the file ends with `-incomplete`.',
    tag: 'usage',
    answers: { 200: 'text/csv' },
    errors: [403],
  },
  { querystring: usageReportQuery },
);

export const registerUsage = (api: Api, { app }: ApiServices): void => {
  api.get('/usage', { schema: read }, ({ caller, query }) => reportUsage(app, caller, query));
  api.get('/usage/csv', { schema: csv }, async ({ caller, query }, reply) => {
    const { groups, group_by, complete } = await reportUsage(app, caller, query, Number.POSITIVE_INFINITY);
    const name = `usage-by-${group_by}${complete ? '' : '-incomplete'}.csv`;
    return reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(usageCsv(groups, group_by));
  });
};
