/**
 * A shop whose pages show a chat: its own server opens a session for each visitor and makes a short-lived token for that one
 * session; the page loads a script and hands the token over. The visitor's browser never sees the shop's own credential.
 *
 * With `--serve` it listens on port 8080 and stays, to be looked at in a browser: the server then wants
 * `--embed-origins http://127.0.0.1:8080`. Without, it asserts what such a page gets, and exits 0 when all went as it should.
 *
 * Starts no server of Turnkeeper: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to one with its demo models.
 */
import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = 'http://127.0.0.1:4747', TURNKEEPER_TOKEN: token } = process.env;
const turnkeeper = createClient({ baseUrl, token });
const minutes = 15;

/** What a visitor's browser is given: one session, and nothing of it but reading, writing and answering. */
const newVisitor = async (agent: string): Promise<{ readonly session: string; readonly token: string }> => {
  const { id } = await turnkeeper.sessions.create({ agent, title: 'Flower shop' });
  const given = await turnkeeper.clientTokens.create(id, { scopes: ['read', 'invoke', 'interact', 'cancel'], expiresInSeconds: minutes * 60 });
  return { session: id, token: given.token };
};

/** The token is asked for when the chat is opened, and again when it has ended: it stands in no page and in no address. */
const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Flower shop</title></head>
<body><h1>Flower shop</h1>
<script src="${baseUrl}/embed.js"></script>
<script>
  Turnkeeper.launch({
    title: 'Ask the florist',
    token: async () => (await (await fetch('/chat-token', { method: 'POST' })).json()).token,
  });
</script>
</body></html>`;

/** A real shop knows its visitors, and gives the same one the same session; here a cookie does. */
const createShop = (agent: string): Server => {
  const sessions = new Set<string>();
  return createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/chat-token') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      return;
    }
    const known = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    const visitor = known !== undefined && sessions.has(known) ? { session: known, ...(await turnkeeper.clientTokens.create(known)) } : await newVisitor(agent);
    sessions.add(visitor.session);
    response.setHeader('set-cookie', `session=${visitor.session}; HttpOnly; SameSite=Strict; Path=/`);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify({ token: visitor.token }));
  });
};

const makeFlorist = async (): Promise<string> => {
  const agentKey = `florist-${crypto.randomUUID().slice(0, 8)}`;
  await turnkeeper.agents.create({ agentKey, displayName: 'Florist', definition: { system: 'You sell flowers.', model: 'demo:script' } });
  return agentKey;
};

const listen = async (shop: Server, port: number): Promise<string> => {
  await new Promise<void>((resolve) => shop.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
};

const tokenFor = async (url: string, cookie?: string): Promise<{ readonly token: string; readonly cookie: string }> => {
  const answer = await fetch(`${url}/chat-token`, { method: 'POST', ...(cookie === undefined ? {} : { headers: { cookie } }) });
  const { token: given } = (await answer.json()) as { token: string };
  return { token: given, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
};

const check = async (url: string): Promise<void> => {
  const shown = await (await fetch(url)).text();
  assert.match(shown, /embed\.js/);
  assert.doesNotMatch(shown, /tk[ck]?_/);

  // Each visitor has a session; one who comes back has the same one, by a new token.
  const ann = await tokenFor(url);
  const again = await tokenFor(url, ann.cookie);
  const bob = await tokenFor(url);
  const sessionOf = async (given: string) => (await createClient({ baseUrl, token: given }).account.me()).client?.sessionId ?? '';
  const [session, same, other] = await Promise.all([ann.token, again.token, bob.token].map(sessionOf));
  assert.ok(session);
  assert.equal(same, session);
  assert.notEqual(other, session);

  // What the frame does with it.
  const visitor = createClient({ baseUrl, token: ann.token });
  const message = JSON.stringify({ steps: [[{ text: 'Tulips, perhaps?' }]] });
  const turn = await visitor.turns.submit(session, { message }, { idempotencyKey: crypto.randomUUID() });
  assert.equal((await visitor.waitForTurn(session, turn.id)).turn?.outputText, 'Tulips, perhaps?');
  visitor.close();

  // The page in the frame, and the script around it: there when the console is built, and framed only where the server says so.
  const chat = await fetch(`${baseUrl}/c/${ann.token}`);
  const script = await fetch(`${baseUrl}/embed.js`);
  assert.equal(chat.status, script.status);
  assert.match(chat.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
  assert.equal(chat.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(chat.headers.get('cache-control'), chat.ok ? 'no-store' : chat.headers.get('cache-control'));
  if (script.ok) assert.match(await script.text(), /Turnkeeper/);
};

const main = async (): Promise<void> => {
  const serves = process.argv.includes('--serve');
  const shop = createShop(await makeFlorist());
  const url = await listen(shop, serves ? 8080 : 0);
  if (serves) {
    process.stdout.write(`The shop is open at ${url}\n`);
    return;
  }
  try {
    await check(url);
    process.stdout.write('A chat for each visitor, and a token for each chat.\n');
  } finally {
    shop.closeAllConnections();
    shop.close();
    turnkeeper.close();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
