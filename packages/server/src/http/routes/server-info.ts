/** The server itself, for admins: what it is, how it is, and whether a model answers. */
import { serverInfo, testModelAnswer, testModelRequest } from '@turnkeeper/core/protocol/wire/server';
import { readServer, type ServerState } from '../../app/server-facts.ts';
import { testModel } from '../../app/try-model.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';

const tag = 'server';

const read = operation(
  {
    summary: 'What this server is and how it is',
    description: 'For admins: its version, its store, which providers of models are on, and how long things are kept. Never a secret.',
    tag,
    answers: { 200: serverInfo },
    errors: [403],
  },
  {},
);
const test = operation(
  {
    summary: 'Try a model',
    description: 'For admins. One small call to the provider; a model that does not answer is an answer, with `ok: false` and why.',
    tag,
    answers: { 200: testModelAnswer },
    errors: [403],
  },
  { body: testModelRequest },
);

export const registerServerInfo = (api: Api, { app }: Pick<ApiServices, 'app'>, state: ServerState | undefined): void => {
  api.post('/models/test', { schema: test }, ({ caller, body }) => testModel(app, caller, body));
  if (state) api.get('/server', { schema: read }, ({ caller }) => readServer(app, caller, state));
};
