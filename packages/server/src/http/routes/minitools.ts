/** Mini-tools: what is installed, its permissions, how it does; and their containers. */

import { putSecretRequest } from '@turnkeeper/core/protocol/wire/identity';
import {
  containerSessionRequest,
  enableMinitoolRequest,
  installMinitoolRequest,
  minitoolAnswer,
  minitoolArrival,
  minitoolContainer,
  minitoolDefaults,
  minitoolLog,
  minitoolLogQuery,
  minitoolResource,
  packageBytes,
  patchMinitoolRequest,
  putMinitoolDefaultsRequest,
} from '@turnkeeper/core/protocol/wire/minitools';
import { createdSession, pageOf } from '@turnkeeper/core/protocol/wire/sessions';
import { changeMinitool, deleteMinitoolSecret, putMinitoolSecret } from '../../app/minitools/change-minitool.ts';
import { markSeen, openContainerSession } from '../../app/minitools/container-sessions.ts';
import { putMinitoolDefaults, readMinitoolDefaults } from '../../app/minitools/default-agent.ts';
import { disableMinitool, enableMinitool, installMinitool, removeMinitool, uploadMinitool } from '../../app/minitools/install-minitool.ts';
import type { Minitools } from '../../app/minitools/minitool-services.ts';
import { listArrivals, listContainers, listMinitools, readLog, readMinitool } from '../../app/minitools/read-minitools.ts';
import type { Api, ApiServices } from '../api.ts';
import { fileName } from '../file-name.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { localeOf } from '../locale.ts';
import { operation } from '../openapi/operation.ts';
import { registerRawBodies, withBody } from '../raw-body.ts';
import { openLogReader } from '../sse/open-reader.ts';
import { minitoolContainerParams, minitoolParams, minitoolSecretParams, sessionParams, sessionPath } from './addresses.ts';

const tag = 'minitools';
const admins = 'For admins.';
const path = '/minitools/:minitoolId';
const params = { params: minitoolParams };

const list = operation({ summary: 'List the mini-tools that one may use; admins: all', tag, answers: { 200: pageOf(minitoolResource) }, errors: [403] }, {});
const install = operation(
  {
    summary: 'Install a mini-tool, or another version of it',
    description: `${admins} Nothing of it runs before it is enabled. Where the manifest is faulty, \`errors\` lists every fault. One that is installed already becomes this version; what it keeps stays, and it is disabled where it asks for more than was agreed to.`,
    tag,
    answers: { 201: minitoolAnswer },
    errors: [403, 404, 409],
  },
  { body: installMinitoolRequest },
);
const upload = operation(
  {
    summary: 'Install a packed mini-tool',
    description: `${admins} The body is a \`.tgz\` as \`npm pack\` makes it, of at most 50 MiB; \`X-File-Name\` says what it is called.`,
    tag,
    answers: { 201: minitoolAnswer },
    errors: [403, 409, 413, 415],
    takes: 'bytes',
  },
  {},
);
const read = operation({ summary: 'Read how a mini-tool does', tag, answers: { 200: minitoolAnswer }, errors: [403, 404] }, params);
const change = operation(
  {
    summary: 'Change the settings, agents or users of a mini-tool',
    description: `${admins} With other settings it is started again. \`containerAgents\` alone is also for its users: they choose among the agents that they may use.`,
    tag,
    answers: { 200: minitoolAnswer },
    errors: [403, 404],
  },
  { ...params, body: patchMinitoolRequest },
);
const defaults = operation({ summary: 'Read what holds for all mini-tools', description: admins, tag, answers: { 200: minitoolDefaults }, errors: [403] }, {});
const putDefaults = operation(
  {
    summary: 'Set what holds for all mini-tools: the agent of containers that have none of their own, and the language',
    description: `${admins} What is left out stays; null takes it back. The agent by its key or id: sessions that are there stay on theirs. Mini-tools that run are told of another language.`,
    tag,
    answers: { 200: minitoolDefaults },
    errors: [403],
  },
  { body: putMinitoolDefaultsRequest },
);
const enable = operation(
  {
    summary: 'Agree to the permissions of a mini-tool, and start it',
    description: `${admins} \`consent\` is \`permissions\` as it was shown. Where they differ by now, the answer is 409 with \`differences\`.`,
    tag,
    answers: { 200: minitoolAnswer },
    errors: [403, 404, 409],
  },
  { ...params, body: enableMinitoolRequest },
);
const disable = operation(
  {
    summary: 'Stop a mini-tool',
    description: `${admins} Its sessions stay, and their turns go on.`,
    tag,
    answers: { 200: minitoolAnswer },
    errors: [403, 404],
  },
  params,
);
const remove = operation(
  { summary: 'Remove a mini-tool and what it keeps', description: `${admins} Its sessions stay.`, tag, answers: { 204: null }, errors: [403, 404] },
  params,
);
const logs = operation(
  {
    summary: 'Read the log of a mini-tool',
    description: `${admins} The newest \`lines\` entries. With \`follow=true\` an event stream of them and of what comes, an entry in each \`data\`.`,
    tag,
    answers: { 200: minitoolLog },
    errors: [403, 404],
    streams: true,
  },
  { ...params, querystring: minitoolLogQuery },
);
const arrivals = operation(
  {
    summary: 'List what came in by the webhooks of a mini-tool, the newest first',
    description: `${admins} How each request was answered, also those that were refused; never what it said. The newest 100 that were taken and 100 that were refused, since the start of the node that is asked.`,
    tag,
    answers: { 200: pageOf(minitoolArrival) },
    errors: [403, 404],
  },
  params,
);
const putSecret = operation(
  {
    summary: 'Set a secret of a mini-tool',
    description: `${admins} Of the names that its manifest declares. The value is never read back.`,
    tag,
    answers: { 204: null },
    errors: [403, 404],
  },
  { params: minitoolSecretParams, body: putSecretRequest },
);
const deleteSecret = operation(
  { summary: 'Delete a secret of a mini-tool', description: admins, tag, answers: { 204: null }, errors: [403, 404] },
  { params: minitoolSecretParams },
);
const containers = operation(
  {
    summary: 'List the containers of a mini-tool',
    description: 'Titles in the language of `Accept-Language`. Its sessions are listed by `container=<mini-tool>/<container>`.',
    tag,
    answers: { 200: pageOf(minitoolContainer) },
    errors: [403, 404],
  },
  params,
);
const open = operation(
  {
    summary: 'Open a session in a container',
    description: 'Of mode `assistant`. It runs on the agent of the container. Without a key each call opens another one.',
    tag,
    answers: { 201: createdSession },
    errors: [403, 404, 409],
    key: 'optional',
  },
  { params: minitoolContainerParams, body: containerSessionRequest },
);
const seen = operation(
  {
    summary: 'Take away the unread mark of a session',
    description: 'Whoever controls it has looked: the mark of a session in a container is gone for all, until something happens there again.',
    tag: 'sessions',
    answers: { 204: null },
    errors: [403, 404, 409],
  },
  { params: sessionParams },
);

type Services = ApiServices & { readonly minitools: Minitools };

const registerUpload = (api: Api, services: Services): void => {
  registerRawBodies(api);
  api.post('/minitools/upload', { schema: upload }, async (request, reply) => {
    const name = fileName(request.headers['x-file-name']) ?? 'package.tgz';
    const answer = await withBody(request.raw, (bytes) => uploadMinitool(services, request.caller, { name, bytes }, localeOf(request)), packageBytes);
    return reply.code(201).send(answer);
  });
};

const registerAdministration = (api: Api, services: Services): void => {
  api.post('/minitools', { schema: install }, async (request, reply) =>
    reply.code(201).send(await installMinitool(services, request.caller, request.body, localeOf(request))),
  );
  api.register(async (raw: Api) => registerUpload(raw, services));
  api.patch(path, { schema: change }, (request) => changeMinitool(services, request.caller, request.params.minitoolId, request.body, localeOf(request)));
  api.get('/minitool-defaults', { schema: defaults }, (request) => readMinitoolDefaults(services, request.caller));
  api.put('/minitool-defaults', { schema: putDefaults }, (request) => putMinitoolDefaults(services, request.caller, request.body));
  api.post(`${path}/enable`, { schema: enable }, (request) =>
    enableMinitool(services, request.caller, request.params.minitoolId, request.body.consent, localeOf(request)),
  );
  api.post(`${path}/disable`, { schema: disable }, (request) => disableMinitool(services, request.caller, request.params.minitoolId, localeOf(request)));
  api.delete(path, { schema: remove }, async ({ caller, params: { minitoolId } }, reply) => {
    await removeMinitool(services, caller, minitoolId);
    return reply.code(204).send();
  });
  api.put(`${path}/secrets/:name`, { schema: putSecret }, async ({ caller, params: { minitoolId, name }, body }, reply) => {
    await putMinitoolSecret(services, caller, minitoolId, name, body.value);
    return reply.code(204).send();
  });
  api.delete(`${path}/secrets/:name`, { schema: deleteSecret }, async ({ caller, params: { minitoolId, name } }, reply) => {
    await deleteMinitoolSecret(services, caller, minitoolId, name);
    return reply.code(204).send();
  });
};

export const registerMinitools = (api: Api, all: ApiServices): void => {
  const { minitools } = all;
  if (!minitools) return;
  const services: Services = { ...all, minitools };
  registerAdministration(api, services);
  api.get('/minitools', { schema: list }, (request) => listMinitools(services, request.caller, localeOf(request)));
  api.get(path, { schema: read }, (request) => readMinitool(services, request.caller, request.params.minitoolId, localeOf(request)));
  api.get(`${path}/logs`, { schema: logs }, (request, reply) => {
    const {
      caller,
      query,
      params: { minitoolId },
    } = request;
    return query.follow ? openLogReader(services, request, reply, minitoolId, query.lines) : readLog(services, caller, minitoolId, query.lines);
  });
  api.get(`${path}/arrivals`, { schema: arrivals }, ({ caller, params: { minitoolId } }) => listArrivals(services, caller, minitoolId));
  api.get(`${path}/containers`, { schema: containers }, (request) => listContainers(services, request.caller, request.params.minitoolId, localeOf(request)));
  api.post(`${path}/containers/:containerId/sessions`, { schema: open }, async (request, reply) => {
    const { minitoolId: id, containerId } = request.params;
    return reply.code(201).send(await openContainerSession(services, request.caller, { id, containerId }, request.body, idempotencyKey(request)));
  });
  api.post(`${sessionPath}/seen`, { schema: seen }, async ({ caller, params: { sessionId } }, reply) => {
    await markSeen(services, caller, sessionId);
    return reply.code(204).send();
  });
};
