/**
 * A backend that is told when a turn has ended: it registers itself, verifies what comes, and reads the event.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN lead to a server with its demo models that may reach this machine
 * (TURNKEEPER_WEBHOOK_ALLOW_PRIVATE=1). Exits 0 when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@turnkeeper/client/create-client';
import { verifyWebhook } from '@turnkeeper/client/webhooks/verify-webhook';
import type { WebhookNotice } from '@turnkeeper/core/protocol/wire/webhooks';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;

/** As it came: what is signed are the bytes. */
const rawBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const main = async (): Promise<void> => {
  const client = createClient({ baseUrl, token });
  let secret = '';
  /** By event: a notice may come more than once. */
  const notices = new Map<string, WebhookNotice>();
  let heard = (_notice: WebhookNotice): void => {};
  const ended = new Promise<WebhookNotice>((resolve) => {
    heard = resolve;
  });
  const receiver = createServer(async (request, response) => {
    const body = await rawBody(request);
    const notice = await verifyWebhook({ secret, headers: request.headers, body, nowMs: Date.now() });
    // Answer at once, and work afterwards: after 10 seconds it counts as not taken.
    response.writeHead(notice ? 204 : 401).end();
    if (!notice || notices.has(notice.id)) return;
    notices.set(notice.id, notice);
    if (notice.type === 'turn.completed') heard(notice);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/turnkeeper`;

  const session = await client.sessions.create({ agent: 'guide' });
  const of = { sessionId: session.id };
  const webhook = await client.webhooks.create(
    of,
    { url, event_types: ['turn.completed', 'turn.failed', 'turn.cancelled'] },
    { idempotencyKey: crypto.randomUUID() },
  );
  secret = webhook.signing_secret ?? '';

  // Somebody else's request is not believed.
  const forged = await fetch(url, {
    method: 'POST',
    body: '{"type":"turn.completed"}',
    headers: { 'x-webhook-timestamp': '1', 'x-webhook-signature': 'v1=00' },
  });
  assert.equal(forged.status, 401);
  assert.deepEqual((await client.webhooks.test(of, webhook.id)).delivered, true);

  const turn = await client.turns.submit(session.id, { message: 'Hello!' }, { idempotencyKey: crypto.randomUUID() });
  const notice = await ended;
  assert.deepEqual([notice.session_id, notice.turn_id], [session.id, turn.id]);
  // The notice says only that something happened: what, is read with one's own credential.
  const event = await client.sessions.event(notice.session_id, notice.id);
  assert.equal(event.type, 'turn.completed');
  assert.ok(String(event.data['output_text']).length > 0);

  await client.webhooks.delete(of, webhook.id);
  process.stdout.write(`Told that ${turn.id} has completed, by a signed notice.\n`);
  receiver.close();
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
