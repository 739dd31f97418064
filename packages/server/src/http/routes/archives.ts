/** A session's log as a file, and back. */
import { Readable } from 'node:stream';
import { exportQuery } from '@turnkeeper/core/protocol/wire/archives';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { sessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { exportSession } from '../../app/export-session.ts';
import { importSession } from '../../app/import-session.ts';
import type { Api, ApiServices } from '../api.ts';
import { bodyLines } from '../body-lines.ts';
import { operation } from '../openapi/operation.ts';
import { registerRawBodies, withBody } from '../raw-body.ts';
import { sessionParams, sessionPath } from './addresses.ts';

const tag = 'events';
const ndjson = 'application/x-ndjson';

const exporting = operation(
  {
    summary: 'Export the events of a session',
    description: 'One event a line, from the oldest that is kept to where the log stands now. `format=archive` puts the line in front that an import needs.',
    tag,
    answers: { 200: ndjson },
    errors: [403, 404],
  },
  { params: sessionParams, querystring: exportQuery },
);
const importing = operation(
  {
    summary: 'Bring back an exported session',
    description:
      'For admins. The body is an export with `format=archive`. The session comes back under its id, as a record: what is private is in no export, so nothing new is done in it.',
    tag,
    answers: { 201: sessionResource },
    errors: [403, 409, 413, 415],
    takes: 'bytes',
  },
  {},
);

export const registerArchives = (api: Api, { app }: ApiServices): void => {
  api.get(`${sessionPath}/export`, { schema: exporting }, async ({ caller, params, query, method }, reply) => {
    const lines = await exportSession(app, caller, params.sessionId, { archive: query.format === 'archive' });
    return reply
      .type(ndjson)
      .header('content-disposition', `attachment; filename="${params.sessionId}.ndjson"`)
      .send(Readable.from(method === 'HEAD' ? [] : lines, { objectMode: false, encoding: 'utf8' }));
  });
  api.register(async (raw: Api) => {
    registerRawBodies(raw);
    raw.post('/agent-sessions/import', { schema: importing }, async (request, reply) =>
      reply.code(201).send(await withBody(request.raw, (bytes) => importSession(app, request.caller, bodyLines(bytes)), limits.archiveBytes)),
    );
  });
};
