/**
 * A bot behind a webhook, on a server that is killed while it has work to do: the platform delivers again what it is not sure of, and
 * every message is answered, none twice.
 *
 * Starts a server of its own, because it kills it. Exits 0 when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@turnkeeper/client/create-client';

const token = 'tk_example-echo-bot-0123456789';
const secret = 'platform-secret';
const hook = '/api/v1/minitools/example-echo-bot/webhooks/messages';
const data = mkdtempSync(join(tmpdir(), 'turnkeeper-echo-bot-'));
const command = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'turnkeeper.js');

const startServer = async () => {
  const env = { ...process.env, TURNKEEPER_ADMIN_TOKEN: token, TURNKEEPER_URL: undefined };
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', data, '--no-demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then(() => reject(new Error(`the server ended:\n${output}`)));
  });
  return {
    url,
    client: createClient({ baseUrl: url, token }),
    end: async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
      child.kill(signal);
      await ended;
    },
  };
};

type Reply = { readonly key: string; readonly chat: string; readonly text: string };

/** Where replies go. */
const openPlatform = async () => {
  const replies = new Map<string, Reply>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const reply = JSON.parse(body) as Reply;
    replies.set(reply.key, reply);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replies,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const deliver = async (url: string, message: { readonly id: string; readonly chat: string; readonly text: string }): Promise<number> => {
  const body = JSON.stringify(message);
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const { status } = await fetch(`${url}${hook}`, { method: 'POST', body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature } });
  return status;
};

const main = async (): Promise<void> => {
  const platform = await openPlatform();
  const first = await startServer();
  await first.client.agents.create({ agentKey: 'default', displayName: 'Echo', definition: { system: 'You echo.', model: 'demo:echo' } });
  const { minitool } = await first.client.minitools.install({ source: `folder:${join(import.meta.dirname, 'minitools', 'echo-bot')}` });
  await first.client.minitools.putSecret(minitool.id, 'webhook.messages', secret);
  await first.client.minitools.patch(minitool.id, { settings: { platform: platform.url } });
  const { minitool: enabled } = await first.client.minitools.enable(minitool.id, minitool.permissions);
  assert.equal(enabled.activity, 'running', enabled.lastCrash?.reason ?? 'It does not run.');

  const messages = Array.from({ length: 12 }, (_, n) => ({ id: `m${n}`, chat: n % 2 === 0 ? 'ada' : 'eve', text: `message ${n}` }));
  const forged = await fetch(`${first.url}${hook}`, { method: 'POST', body: '{"id":"x","chat":"ada","text":"forged"}' });
  assert.ok(forged.status >= 400);
  for (const message of messages) assert.equal(await deliver(first.url, message), 202);
  // It has taken them all, and answered a few of them perhaps.
  await first.end('SIGKILL');

  const second = await startServer();
  // The platform has not heard of every answer: it delivers again.
  for (const message of messages) assert.equal(await deliver(second.url, message), 202);
  for (let tries = 0; platform.replies.size < messages.length && tries < 600; tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const told = (of: string) => [...platform.replies.values()].filter(({ chat }) => chat === of).map(({ text }) => text);
  const said = (of: string) => messages.filter(({ chat }) => chat === of).map(({ text }) => text);
  assert.deepEqual([told('ada'), told('eve')], [said('ada'), said('eve')]);
  const { items } = await second.client.sessions.list({ container: `${minitool.id}/chats` });
  assert.equal(items.length, 2);
  process.stdout.write(`${platform.replies.size} of ${messages.length} messages answered once each, in order, over a kill.\n`);
  await second.end('SIGTERM');
  for (const { client } of [first, second]) client.close();
  platform.close();
};

main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    process.exit();
  });
