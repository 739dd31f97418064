/** `turnkeeper webhooks`: who is told of what happens. A signing secret is printed alone, once, so that a script can take it. */
import type { WebhookOf } from '@turnkeeper/client/calls/webhooks';
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { DeliveryDetails, TestedWebhook, WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickApplication } from '../pick-named.ts';
import { pickOne } from '../pick-one.ts';
import { programName } from '../program-name.ts';
import { confirmed } from '../prompt.ts';
import { resolveSession } from '../session-ref.ts';

/** Of a session, with `--turn` of one of its turns, or with `--app` of an application. */
export type SubjectOptions = { readonly session?: string; readonly turn?: string; readonly app?: string };

const subjectOf = async ({ client }: CommandContext, { session, turn, app }: SubjectOptions): Promise<WebhookOf> => {
  if (app !== undefined) return { applicationId: (await pickApplication(client, app)).id };
  const { id } = await resolveSession(client, session);
  return { sessionId: id, ...(turn === undefined ? {} : { turnId: turn }) };
};

const found = async (context: CommandContext, options: SubjectOptions, ref: string): Promise<{ readonly of: WebhookOf; readonly webhook: WebhookResource }> => {
  const of = await subjectOf(context, options);
  const all = await everyItem((page) => context.client.webhooks.list(of, page));
  return { of, webhook: pickOne(all, ref, { what: 'webhook', id: ({ id }) => id, name: ({ url }) => url, list: 'turnkeeper webhooks ls' }) };
};

const wantsText = ({ event_types }: WebhookResource): string => (event_types.length === 0 ? 'all events' : event_types.join(','));

export const listWebhooks = async (context: CommandContext, options: SubjectOptions): Promise<ExitCode> => {
  const of = await subjectOf(context, options);
  const items = await everyItem((page) => context.client.webhooks.list(of, page));
  printList(context, items, {
    none: `No webhooks on ${'sessionId' in of ? of.sessionId : 'this application'}. Make one with: ${programName} webhooks add <url> --session <id> (or --app)`,
    row: (webhook) => [webhook.id, webhook.status, oneLine(webhook.url, 60), oneLine(wantsText(webhook), 40), oneLine(webhook.last_error ?? '', 60)],
  });
  return exitCodes.completed;
};

export const addWebhook = async (context: CommandContext, url: string, options: SubjectOptions & { readonly event?: readonly string[] }): Promise<ExitCode> => {
  if (options.session === undefined && options.app === undefined)
    throw new UsageError('Of which events? Name a session with --session (@last: the last one used), or an application with --app.');
  const of = await subjectOf(context, options);
  const made = await context.client.webhooks.create(of, { url, event_types: options.event ?? [] }, { idempotencyKey: freshKey('webhook') });
  if (context.json) context.printJson(made);
  else {
    context.print(made.signing_secret ?? '');
    context.note(`${made.id}: the signing secret above is shown once. Try it with: ${programName} webhooks test ${made.id}`);
  }
  return exitCodes.completed;
};

export const listDeliveries = async (context: CommandContext, ref: string, options: SubjectOptions): Promise<ExitCode> => {
  const { of, webhook } = await found(context, options, ref);
  const { items } = await context.client.webhooks.deliveries(of, webhook.id, { limit: 50 });
  printList(context, items, {
    none: 'Nothing was sent yet.',
    row: ({ id, event_type, status, attempts, response_status, error, last_attempt_at }) => [
      id,
      new Date(last_attempt_at).toISOString(),
      event_type,
      status,
      `${attempts}×`,
      response_status === null ? '' : String(response_status),
      oneLine(error ?? '', 60),
    ],
  });
  return exitCodes.completed;
};

const foundDelivery = async (context: CommandContext, options: SubjectOptions, ref: string, deliveryRef: string) => {
  const { of, webhook } = await found(context, options, ref);
  const kept = await everyItem((page) => context.client.webhooks.deliveries(of, webhook.id, page));
  const { id } = pickOne(kept, deliveryRef, {
    what: 'delivery',
    id: (delivery) => delivery.id,
    name: (delivery) => delivery.event_id,
    list: `${programName} webhooks deliveries ${webhook.id}`,
  });
  return { of, webhook, id };
};

const sendingLines = ({ at, duration_ms, response_status, error, again, request }: DeliveryDetails['sendings'][number]): readonly string[] => [
  `${new Date(at).toISOString()}  ${response_status ?? 'no answer'}  ${duration_ms} ms${again ? '  sent again' : ''}${error === null ? '' : `  ${oneLine(error, 200)}`}`,
  `  POST ${oneLine(request.url, 500)}`,
  ...Object.entries(request.headers).map(([name, value]) => `  ${name}: ${oneLine(value, 1_000)}`),
  '',
  `  ${oneLine(request.body, 4_000)}`,
  '',
];

/** Each request of a delivery as it went out. */
export const showDelivery = async (context: CommandContext, ref: string, deliveryRef: string, options: SubjectOptions): Promise<ExitCode> => {
  const { of, webhook, id } = await foundDelivery(context, options, ref, deliveryRef);
  const delivery = await context.client.webhooks.delivery(of, webhook.id, id);
  if (context.json) context.printJson(delivery);
  else {
    context.print(`${delivery.id}  ${delivery.event_type}  ${delivery.status}  ${delivery.attempts}×  ${delivery.session_id}`);
    for (const line of delivery.sendings.flatMap(sendingLines)) context.print(line);
  }
  return exitCodes.completed;
};

/** One that was sent already goes out again: what is owed, and its order, do not change. */
export const redeliver = async (context: CommandContext, ref: string, deliveryRef: string, options: SubjectOptions): Promise<ExitCode> => {
  const { of, webhook, id } = await foundDelivery(context, options, ref, deliveryRef);
  return printTaken(context, webhook, await context.client.webhooks.redeliver(of, webhook.id, id));
};

/** Exit code 1 where it was not taken. */
const printTaken = ({ json, print, printJson }: CommandContext, { url }: WebhookResource, { delivered, response_status, error }: TestedWebhook): ExitCode => {
  if (json) printJson({ delivered, response_status, error });
  else print(delivered ? `${url} took it (${response_status})` : `${url} did not take it: ${error}`);
  return delivered ? exitCodes.completed : exitCodes.failed;
};

export const retryWebhook = async (context: CommandContext, ref: string, options: SubjectOptions): Promise<ExitCode> => {
  const { of, webhook } = await found(context, options, ref);
  const now = await context.client.webhooks.retry(of, webhook.id);
  if (context.json) context.printJson(now);
  else context.print(`${now.id} goes on`);
  return exitCodes.completed;
};

export const testWebhook = async (context: CommandContext, ref: string, options: SubjectOptions): Promise<ExitCode> => {
  const { of, webhook } = await found(context, options, ref);
  return printTaken(context, webhook, await context.client.webhooks.test(of, webhook.id));
};

export const rotateSecret = async (context: CommandContext, ref: string, options: SubjectOptions): Promise<ExitCode> => {
  const { of, webhook } = await found(context, options, ref);
  const now = await context.client.webhooks.rotateSecret(of, webhook.id);
  if (context.json) context.printJson(now);
  else {
    context.print(now.signing_secret);
    context.note('The new signing secret, shown once. The old one signs too for 24 hours.');
  }
  return exitCodes.completed;
};

export const removeWebhook = async (context: CommandContext, ref: string, options: SubjectOptions & { readonly yes?: boolean }): Promise<ExitCode> => {
  const { of, webhook } = await found(context, options, ref);
  if (!(await confirmed(context.io, `Delete the webhook to ${webhook.url}?`, options.yes))) {
    context.note('Not deleted.');
    return exitCodes.failed;
  }
  await context.client.webhooks.delete(of, webhook.id);
  if (context.json) context.printJson({ deleted: webhook.id });
  else context.print(`deleted ${webhook.id}`);
  return exitCodes.completed;
};
