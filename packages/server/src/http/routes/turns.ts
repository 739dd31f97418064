/** Turns: submit, read, wait for, cancel, pause, resume, run again. */
import { commandAnswer, commandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import { waitQuery } from '@turnkeeper/core/protocol/wire/events';
import { turnCapabilities as capabilitiesAnswer, pageOf, pageQuery, submitRequest, turnReceipt, turnResource } from '@turnkeeper/core/protocol/wire/sessions';
import { turnCapabilities } from '../../app/capabilities.ts';
import { cancelTurn, pauseTurn, resumeTurn } from '../../app/control-turn.ts';
import { findSession } from '../../app/find-session.ts';
import { listTurns, readCommand, readTurn, waitForTurn } from '../../app/read-turn.ts';
import { rerunTurn } from '../../app/rerun-turn.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { commandParams, sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'turns';

const submit = operation(
  {
    summary: 'Submit a turn',
    description:
      'Answered when it is durably stored. Turns run one at a time, in the order in which they were accepted unless somebody reordered them. `onBusy` says what it becomes while the session has an unfinished turn: `queue` (as without it), `steer` (an input of that turn, named by `inputId`), `reject` (409) or `interrupt` (that turn is cancelled, and this one is next).',
    tag,
    answers: { 202: turnReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: sessionParams, body: submitRequest },
);
const list = operation(
  { summary: 'List the turns of a session, oldest first', tag, answers: { 200: pageOf(turnResource) }, errors: [403, 404] },
  { params: sessionParams, querystring: pageQuery },
);
const read = operation(
  {
    summary: 'Read a turn, or wait for its outcome',
    description: 'With `wait` the answer is held until the turn is settled, or so many seconds have passed.',
    tag,
    answers: { 200: turnResource },
    errors: [403, 404],
  },
  { params: turnParams, querystring: waitQuery },
);
const cancel = operation(
  {
    summary: 'Cancel a turn',
    description: 'A queued or waiting turn ends at once; a running one when its work has stopped.',
    tag,
    answers: { 202: commandReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: turnParams },
);
const resume = operation(
  { summary: 'Resume a turn', description: 'The same turn, in a new run.', tag, answers: { 202: commandReceipt }, errors: [403, 404, 409], key: 'required' },
  { params: turnParams },
);
const pause = operation(
  {
    summary: 'Pause a turn of a workflow',
    description: 'It is `interrupted`: what its children do meanwhile is kept, and nothing new begins until it is resumed.',
    tag,
    answers: { 202: commandReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: turnParams },
);
const rerun = operation(
  {
    summary: 'Run a turn again',
    description: 'What it was asked is submitted as a new turn of the same session, whose `metadata` says `rerun_of`.',
    tag,
    answers: { 202: turnReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: turnParams },
);
const command = operation({ summary: 'Read the receipt of a command', tag, answers: { 200: commandAnswer }, errors: [403, 404] }, { params: commandParams });
const capabilities = operation({ summary: 'What a turn takes now', tag, answers: { 200: capabilitiesAnswer }, errors: [403, 404] }, { params: turnParams });

export const registerTurns = (api: Api, { app, held, identity }: ApiServices): void => {
  api.post(`${sessionPath}/turns`, { schema: submit }, async (request, reply) =>
    sendKeyed(reply, 202, await submitTurn(app, request.caller, request.params.sessionId, request.body, idempotencyKey(request))),
  );
  api.get(`${sessionPath}/turns`, { schema: list }, ({ caller, params, query }) => listTurns(app, caller, params.sessionId, query));
  api.get(turnPath, { schema: read }, ({ caller, credential, params, query }, reply) => {
    const { sessionId, turnId } = params;
    if (!query.wait) return readTurn(app, caller, sessionId, turnId);
    const waitMs = query.wait * 1000;
    return held.hold(reply.raw, async (signal) => {
      const turn = await waitForTurn(app, caller, sessionId, turnId, waitMs, signal);
      // Who might read it when the wait began may not by now: a token is revoked, a member has left.
      await findSession(app, await identity.authenticate(credential), sessionId, 'read');
      return turn;
    });
  });
  api.post(`${turnPath}/cancel`, { schema: cancel }, async (request, reply) =>
    sendKeyed(reply, 202, await cancelTurn(app, request.caller, request.params.sessionId, request.params.turnId, idempotencyKey(request))),
  );
  api.post(`${turnPath}/resume`, { schema: resume }, async (request, reply) =>
    sendKeyed(reply, 202, await resumeTurn(app, request.caller, request.params.sessionId, request.params.turnId, idempotencyKey(request))),
  );
  api.post(`${turnPath}/pause`, { schema: pause }, async (request, reply) =>
    sendKeyed(reply, 202, await pauseTurn(app, request.caller, request.params.sessionId, request.params.turnId, idempotencyKey(request))),
  );
  api.post(`${turnPath}/rerun`, { schema: rerun }, async (request, reply) =>
    sendKeyed(reply, 202, await rerunTurn(app, request.caller, request.params.sessionId, request.params.turnId, idempotencyKey(request))),
  );
  api.get(`${turnPath}/commands/:commandId`, { schema: command }, ({ caller, params }) =>
    readCommand(app, caller, params.sessionId, params.turnId, params.commandId),
  );
  api.get(`${turnPath}/capabilities`, { schema: capabilities }, ({ caller, params }) => turnCapabilities(app, caller, params.sessionId, params.turnId));
};
