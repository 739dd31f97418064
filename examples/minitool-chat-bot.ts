/**
 * A bot for a chat platform that is asked for messages, with a platform of its own: messages in order, each answered once, one session
 * for each contact.
 *
 * Starts nothing else: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server of this machine with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });

type Update = { readonly id: number; readonly chat: string; readonly text: string };
type Reply = { readonly key: string; readonly chat: string; readonly text: string };

/** Holds a request until there is something after what the bot has seen. */
const openPlatform = async () => {
  const updates: Update[] = [];
  const replies = new Map<string, Reply>();
  let held: { readonly after: number; readonly response: ServerResponse } | undefined;
  const hand = (): void => {
    const fresh = held ? updates.filter(({ id }) => id > (held?.after ?? 0)) : [];
    if (!held || fresh.length === 0) return;
    held.response.end(JSON.stringify(fresh));
    held = undefined;
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://platform');
    if (request.headers.authorization !== 'Bearer platform-token') return response.writeHead(401).end();
    if (url.pathname === '/updates') {
      held = { after: Number(url.searchParams.get('after')), response };
      return hand();
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const reply = JSON.parse(body) as Reply;
    // Told by its key: a reply may come more than once.
    replies.set(reply.key, reply);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replies,
    say: (chat: string, text: string): void => {
      updates.push({ id: updates.length + 1, chat, text });
      hand();
    },
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const main = async (): Promise<void> => {
  const platform = await openPlatform();
  const run = crypto.randomUUID().slice(0, 8);
  const agentKey = `example-echo-${run}`;
  const [ada, eve] = [`ada-${run}`, `eve-${run}`];
  await client.agents.create({ agentKey, displayName: 'Echo', definition: { system: 'You echo.', model: 'demo:echo' } });

  const { minitool } = await client.minitools.install({ source: `folder:${join(import.meta.dirname, 'minitools', 'chat-bot')}` });
  await client.minitools.patch(minitool.id, { settings: { platform: platform.url }, containerAgents: { chats: agentKey } });
  await client.minitools.putSecret(minitool.id, 'token', 'platform-token');
  platform.say(ada, 'first');
  const { minitool: enabled } = await client.minitools.enable(minitool.id, minitool.permissions);
  assert.equal(enabled.activity, 'running', enabled.lastCrash?.reason ?? 'It does not run.');
  for (const [chat, text] of [
    [ada, 'second'],
    [eve, 'hello'],
    [ada, 'third'],
  ] as const)
    platform.say(chat, text);

  for (let tries = 0; platform.replies.size < 4 && tries < 600; tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  const told = (of: string) => [...platform.replies.values()].filter(({ chat }) => chat === of).map(({ text }) => text);
  assert.deepEqual([told(ada), told(eve)], [['first', 'second', 'third'], ['hello']]);
  const { items } = await client.sessions.list({ container: `${minitool.id}/chats`, q: run });
  assert.deepEqual(items.map(({ title }) => title).toSorted(), [`Chat with ${ada}`, `Chat with ${eve}`]);
  process.stdout.write(`Answered: ${told(ada).join(', ')}; ${told(eve).join(', ')}\n`);
  await client.minitools.delete(minitool.id);
  platform.close();
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
