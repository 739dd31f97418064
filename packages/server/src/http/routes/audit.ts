/** The audit log, for admins. */
import { auditPage, auditQuery } from '@turnkeeper/core/protocol/wire/identity';
import { readAudit } from '../../app/read-audit.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';

const read = operation(
  {
    summary: 'Read the audit log, newest first',
    description: 'For admins. Administrative acts, sign-ins, answers to required actions; never a secret.',
    tag: 'audit',
    answers: { 200: auditPage },
    errors: [403],
  },
  { querystring: auditQuery },
);

export const registerAudit = (api: Api, { app }: ApiServices): void => {
  api.get('/audit', { schema: read }, ({ caller, query }) => readAudit(app, caller, query));
};
