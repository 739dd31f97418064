/** Webhooks: of a session, of a turn, of an application. The same calls behind three paths. */
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import {
  createdWebhook,
  createWebhookRequest,
  deliveryDetails,
  deliveryResource,
  rotatedWebhook,
  testedWebhook,
  webhookResource,
} from '@turnkeeper/core/protocol/wire/webhooks';
import { z } from 'zod';
import {
  createWebhook,
  deleteWebhook,
  listAllWebhooks,
  listDeliveries,
  listWebhooks,
  readDelivery,
  readWebhook,
  redeliverNotice,
  retryWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookAddress,
} from '../../app/manage-webhooks.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { applicationParams, sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'webhooks';
const scope = 'A key needs the scope `webhooks:write`.';

/** The ids of a path, whichever of the three it is. */
type Ids = { readonly sessionId?: string; readonly turnId?: string; readonly applicationId?: string };
type Kind = { readonly of: string; readonly path: string; readonly params: z.ZodObject; readonly address: (ids: Ids) => WebhookAddress };

const kinds: readonly Kind[] = [
  { of: 'a session', path: `${sessionPath}/webhooks`, params: sessionParams, address: ({ sessionId = '' }) => ({ kind: 'session', sessionId }) },
  { of: 'a turn', path: `${turnPath}/webhooks`, params: turnParams, address: ({ sessionId = '', turnId = '' }) => ({ kind: 'turn', sessionId, turnId }) },
  {
    of: 'an application',
    path: '/applications/:applicationId/webhooks',
    params: applicationParams,
    address: ({ applicationId = '' }) => ({ kind: 'application', applicationId }),
  },
];

const operationsOf = ({ of, params }: Kind) => {
  const one = params.extend({ webhookId: z.string() });
  const notFound = [403, 404] as const;
  return {
    create: operation(
      {
        summary: `Register a webhook of ${of}`,
        description: `Events from now on are told to \`url\`, in order, at least once; \`event_types\`: empty = all. \`signing_secret\` is shown here only. ${scope}`,
        tag,
        answers: { 201: createdWebhook },
        errors: [403, 404, 409],
        key: 'required',
      },
      { params, body: createWebhookRequest },
    ),
    list: operation(
      { summary: `List the webhooks of ${of}`, description: scope, tag, answers: { 200: pageOf(webhookResource) }, errors: [...notFound] },
      { params, querystring: pageQuery },
    ),
    read: operation({ summary: `Read a webhook of ${of}`, description: scope, tag, answers: { 200: webhookResource }, errors: [...notFound] }, { params: one }),
    remove: operation({ summary: `Delete a webhook of ${of}`, description: scope, tag, answers: { 204: null }, errors: [...notFound] }, { params: one }),
    deliveries: operation(
      {
        summary: `What was sent to a webhook of ${of}, the newest first`,
        description: `The last 1,000 are kept. ${scope}`,
        tag,
        answers: { 200: pageOf(deliveryResource) },
        errors: [...notFound],
      },
      { params: one, querystring: pageQuery },
    ),
    delivery: operation(
      {
        summary: `Read one delivery to a webhook of ${of}, with what was sent`,
        description: `Each request as it went out, with its signatures, and what came of it. ${scope}`,
        tag,
        answers: { 200: deliveryDetails },
        errors: [...notFound],
      },
      { params: one.extend({ deliveryId: z.string() }) },
    ),
    retry: operation(
      {
        summary: `Go on with a webhook of ${of}`,
        description: `Ends a pause, or a wait for the next attempt. ${scope}`,
        tag,
        answers: { 200: webhookResource },
        errors: [...notFound],
      },
      { params: one },
    ),
    redeliver: operation(
      {
        summary: `Send a notice to a webhook of ${of} once more`,
        description: `That of one delivery, now and outside of any order; its id is the one that it had. What is owed does not change. ${scope}`,
        tag,
        answers: { 200: testedWebhook },
        errors: [...notFound],
      },
      { params: one.extend({ deliveryId: z.string() }) },
    ),
    test: operation(
      {
        summary: `Send a test to a webhook of ${of}`,
        description: `One notice of type \`webhook.test\`, now. ${scope}`,
        tag,
        answers: { 200: testedWebhook },
        errors: [...notFound],
      },
      { params: one },
    ),
    rotate: operation(
      {
        summary: `Give a webhook of ${of} a new signing secret`,
        description: `The old one signs too for 24 hours. ${scope}`,
        tag,
        answers: { 200: rotatedWebhook },
        errors: [403, 404, 409],
      },
      { params: one },
    ),
  };
};

const everyone = operation(
  {
    summary: 'List the webhooks that one may change, whatever they are on',
    description: 'The newest first: all for admins, else those of one’s own sessions and applications. For users.',
    tag,
    answers: { 200: pageOf(webhookResource) },
    errors: [403],
  },
  { querystring: pageQuery },
);

export const registerWebhooks = (api: Api, services: ApiServices): void => {
  api.get('/webhooks', { schema: everyone }, ({ caller, query }) => listAllWebhooks(services, caller, query));
  for (const kind of kinds) registerKind(api, services, kind);
};

const registerKind = (api: Api, services: ApiServices, kind: Kind): void => {
  const { path } = kind;
  const described = operationsOf(kind);
  const address = (params: unknown): WebhookAddress => kind.address(params as Ids);
  const idOf = (params: unknown): string => (params as { readonly webhookId: string }).webhookId;
  api.post(path, { schema: described.create }, async (request, reply) =>
    sendKeyed(reply, 201, await createWebhook(services, request.caller, address(request.params), request.body, idempotencyKey(request))),
  );
  api.get(path, { schema: described.list }, ({ caller, params, query }) => listWebhooks(services, caller, address(params), query));
  api.get(`${path}/:webhookId`, { schema: described.read }, ({ caller, params }) => readWebhook(services, caller, address(params), idOf(params)));
  api.get(`${path}/:webhookId/deliveries`, { schema: described.deliveries }, ({ caller, params, query }) =>
    listDeliveries(services, caller, address(params), idOf(params), query),
  );
  api.get(`${path}/:webhookId/deliveries/:deliveryId`, { schema: described.delivery }, ({ caller, params }) =>
    readDelivery(services, caller, address(params), { webhookId: idOf(params), deliveryId: (params as { readonly deliveryId: string }).deliveryId }),
  );
  api.post(`${path}/:webhookId/retry`, { schema: described.retry }, ({ caller, params }) => retryWebhook(services, caller, address(params), idOf(params)));
  api.post(`${path}/:webhookId/test`, { schema: described.test }, ({ caller, params }) => testWebhook(services, caller, address(params), idOf(params)));
  api.post(`${path}/:webhookId/deliveries/:deliveryId/redeliver`, { schema: described.redeliver }, ({ caller, params }) =>
    redeliverNotice(services, caller, address(params), { webhookId: idOf(params), deliveryId: (params as { readonly deliveryId: string }).deliveryId }),
  );
  api.post(`${path}/:webhookId/rotate-secret`, { schema: described.rotate }, ({ caller, params }) =>
    rotateWebhookSecret(services, caller, address(params), idOf(params)),
  );
  api.delete(`${path}/:webhookId`, { schema: described.remove }, async ({ caller, params }, reply) => {
    await deleteWebhook(services, caller, address(params), idOf(params));
    return reply.code(204).send();
  });
};
