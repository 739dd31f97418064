/**
 * The public door of mini-tools' webhooks: what platforms outside send to bots.
 *
 * HW1 Nobody signs in here: a request is known by its signature, which is looked at over the bytes as they came. What it means, and
 *     which hooks there are, is the ingress's affair.
 * HW2 A mini-tool that is not there, one that is switched off, and a hook that it does not have are one and the same 404.
 * HW3 All that strangers send at once takes so much memory and no more: what comes beyond that is told to come again.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { z } from 'zod';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { registerRawBodies, withBody } from '../raw-body.ts';

type Received = { readonly status: 200 | 202; readonly text?: string };
type GivenRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/** What takes the requests, behind this door. */
export type WebhookDoor = {
  /** Undefined where there is no such hook. */
  readonly hook: (
    minitoolId: string,
    hookId: string,
  ) => Promise<
    | {
        readonly maxBodyBytes: number;
        readonly receive: (request: GivenRequest) => Promise<Received>;
        /** Is told of what was not let in. */
        readonly refused?: (error: unknown, bytes: number) => void;
      }
    | undefined
  >;
  /** In place of 128 MiB. */
  readonly mostHeldBytes?: number;
};

const receive = operation(
  {
    summary: 'Deliver to a webhook of a mini-tool',
    description:
      'For platforms outside. The body is taken as bytes; its signature is verified as the mini-tool’s manifest says. The answer says that it is kept, not that the mini-tool has seen it: some platforms want 200 for that.',
    tag: 'webhooks',
    answers: { 200: 'text/plain', 202: null },
    errors: [404, 413, 415],
    takes: 'bytes',
    open: true,
  },
  { params: z.object({ minitoolId: z.string(), hookId: z.string() }) },
);

const notThere = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such webhook.');

/** By lowercase name, as texts. */
const headersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]])),
  );

/** Of all requests that come in at once, together. */
const mostHeldBytes = 128 * 1024 * 1024;

type Hook = NonNullable<Awaited<ReturnType<WebhookDoor['hook']>>>;

/** Told to whoever looks after the mini-tool. */
const notTaken = ({ refused }: Hook, error: TurnkeeperError, bytes: number): TurnkeeperError => {
  refused?.(error, bytes);
  return error;
};
const tooLarge = (most: number): TurnkeeperError => new TurnkeeperError('payload_too_large', `At most ${most} bytes are taken here.`, { limit: most });
const tooMuch = (): TurnkeeperError => new TurnkeeperError('rate_limited', 'Too much comes in at once. Wait, and try again.', { retry_after_ms: 5_000 });

/** Reads bodies into memory, as long as there is room for them (HW3). */
const createReader = (room: number) => {
  let held = 0;
  /** Holds the body until `use` is done with it. */
  return async <Answer>(bytes: AsyncIterable<Uint8Array>, hook: Hook, use: (body: Buffer) => Promise<Answer>): Promise<Answer> => {
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const part of bytes) {
        size += part.length;
        held += part.length;
        if (size > hook.maxBodyBytes) throw notTaken(hook, tooLarge(hook.maxBodyBytes), size);
        if (held > room) throw notTaken(hook, tooMuch(), size);
        parts.push(part);
      }
      return await use(Buffer.concat(parts));
    } finally {
      held -= size;
    }
  };
};

export const registerMinitoolWebhooks = (api: Api, { rateLimits: { requests } }: ApiServices, door: WebhookDoor | undefined): void => {
  registerRawBodies(api);
  const read = createReader(door?.mostHeldBytes ?? mostHeldBytes);
  api.post('/minitools/:minitoolId/webhooks/:hookId', { schema: receive }, async ({ raw, ip, params }, reply) => {
    const { minitoolId, hookId } = params;
    const received = await withBody(
      raw,
      async (bytes) => {
        // Whoever only tries names is stopped before anything is looked up.
        requests.check(`webhooks ${ip}`);
        const hook = await door?.hook(minitoolId, hookId);
        requests.take(hook ? `webhook ${ip} ${minitoolId}/${hookId}` : `webhooks ${ip}`);
        if (!hook) throw notThere();
        if (Number(raw.headers['content-length'] ?? 0) > hook.maxBodyBytes) throw notTaken(hook, tooLarge(hook.maxBodyBytes), 0);
        return read(bytes, hook, (body) => hook.receive({ headers: headersOf(raw.headers), body }));
      },
      limits.fileBytes,
    );
    reply.code(received.status);
    return received.text === undefined ? reply.send() : reply.type('text/plain; charset=utf-8').send(received.text);
  });
};
