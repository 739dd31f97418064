/** Schedules of a session: turns that are created by time. */
import { createScheduleRequest, patchScheduleRequest, scheduleResource, scheduleRunResource } from '@turnkeeper/core/protocol/wire/schedules';
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { changeSchedule, createSchedule, deleteSchedule, listScheduleRuns, listSchedules, readSchedule } from '../../app/manage-schedules.ts';
import { runScheduleNow } from '../../app/run-schedule.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { scheduleParams, sessionParams, sessionPath } from './addresses.ts';

const tag = 'schedules';
const scope = 'A key needs the scope `invoke`.';

const create = operation(
  {
    summary: 'Schedule turns of a session',
    description: `By \`cron\` (five fields, in \`timezone\`, UTC without it), or once \`at\` an instant. Each slot is submitted once, as its maker's submission; \`onMissed\` says what becomes of slots that passed while no server ran: the latest runs once, or none does. ${scope}`,
    tag,
    answers: { 201: scheduleResource },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: sessionParams, body: createScheduleRequest },
);
const list = operation(
  { summary: 'List the schedules of a session', tag, answers: { 200: pageOf(scheduleResource) }, errors: [403, 404] },
  { params: sessionParams, querystring: pageQuery },
);
const read = operation({ summary: 'Read a schedule', tag, answers: { 200: scheduleResource }, errors: [403, 404] }, { params: scheduleParams });
const change = operation(
  {
    summary: 'Change a schedule',
    description: `Compare-and-set on \`version\`; what is missing stays. Another timing begins now. ${scope}`,
    tag,
    answers: { 200: scheduleResource },
    errors: [403, 404, 409],
  },
  { params: scheduleParams, body: patchScheduleRequest },
);
const remove = operation({ summary: 'Delete a schedule', description: scope, tag, answers: { 204: null }, errors: [403, 404] }, { params: scheduleParams });
const runs = operation(
  {
    summary: 'What became of a schedule’s slots, the newest first',
    description: 'The last 1,000 are kept.',
    tag,
    answers: { 200: pageOf(scheduleRunResource) },
    errors: [403, 404],
  },
  { params: scheduleParams, querystring: pageQuery },
);
const run = operation(
  {
    summary: 'Run a schedule now',
    description: `Submits what it says, on behalf of who asks; its slots stay as they are. ${scope}`,
    tag,
    answers: { 202: scheduleRunResource },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: scheduleParams },
);

export const registerSchedules = (api: Api, { app }: ApiServices): void => {
  const all = `${sessionPath}/schedules`;
  const one = `${all}/:scheduleId`;
  api.post(all, { schema: create }, async (request, reply) =>
    sendKeyed(reply, 201, await createSchedule(app, request.caller, request.params.sessionId, request.body, idempotencyKey(request))),
  );
  api.get(all, { schema: list }, ({ caller, params, query }) => listSchedules(app, caller, params.sessionId, query));
  api.get(one, { schema: read }, ({ caller, params }) => readSchedule(app, caller, params.sessionId, params.scheduleId));
  api.patch(one, { schema: change }, ({ caller, params, body }) => changeSchedule(app, caller, params.sessionId, params.scheduleId, body));
  api.delete(one, { schema: remove }, async ({ caller, params }, reply) => {
    await deleteSchedule(app, caller, params.sessionId, params.scheduleId);
    return reply.code(204).send();
  });
  api.get(`${one}/runs`, { schema: runs }, ({ caller, params, query }) => listScheduleRuns(app, caller, params.sessionId, params.scheduleId, query));
  api.post(`${one}/run`, { schema: run }, async (request, reply) =>
    sendKeyed(reply, 202, await runScheduleNow(app, request.caller, request.params.sessionId, request.params.scheduleId, idempotencyKey(request))),
  );
};
