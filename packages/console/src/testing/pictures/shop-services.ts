/** What the shop of the pictures stands on, on this machine: a model that says what is written for it, its own interfaces, and a receiver of webhooks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, answers } from './shop-answers.ts';

export type ShopServices = { readonly url: string; readonly close: () => void };

type Message = { readonly role: string; readonly content?: string | readonly { readonly text?: string }[] | null };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const textOf = ({ content }: Message): string => (typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''));

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const piece of request) body += String(piece);
  return body;
};

/** What is written for the newest message, and the how-manieth answer to it this is. */
const answerTo = (messages: readonly Message[]): { readonly answer: Answer; readonly at: string } => {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages[last] ? textOf(messages[last]) : '';
  const step = messages.slice(last).filter(({ role }) => role === 'assistant').length;
  const found = Object.keys(answers).find((text) => asked.includes(text));
  const written = found === undefined ? undefined : answers[found]?.[step];
  // The length of the question makes figures that differ, and are the same in each drawing.
  const size = asked.length * 37;
  return { answer: written ?? { say: 'That is done.', used: [1_200 + (size % 5) * 2_900 + size, 180 + (size % 7) * 130, 1_024] }, at: `${asked} ${step}` };
};

const frame = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'shop', choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`;

const callsOf = (calls: NonNullable<Answer['calls']>, at: string) =>
  calls.map(([name, input], index) => ({
    index,
    id: `call_${at.length}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));

const stream = async (response: ServerResponse, { say = '', think, calls = [], ms = 200, used = [800, 60], endless }: Answer, at: string): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await pause(ms / 3);
  if (think) response.write(frame({ delta: { reasoning_content: think } }));
  const words = say.split(/(?<= )/);
  for (const word of words) {
    response.write(frame({ delta: { content: word } }));
    await pause((ms * 2) / 3 / words.length);
  }
  // A word now and then, until nobody listens any more.
  while (endless && !response.destroyed) {
    await pause(4_000);
    response.write(frame({ delta: { content: '… ' } }));
  }
  if (calls.length > 0) response.write(frame({ delta: { tool_calls: callsOf(calls, at) } }));
  response.write(frame({ delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }));
  const [input, output, cached = 0] = used;
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details: { cached_tokens: cached } };
  response.end(`data: ${JSON.stringify({ id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'shop', choices: [], usage })}\n\ndata: [DONE]\n\n`);
};

/** How long they take, and what they say. */
const interfaces: Readonly<Record<string, readonly [ms: number, answer: unknown]>> = {
  '/orders/4711': [240, { order: '4711', article: 'Atlas of Tides', paid: '48.90 EUR', by: 'card', arrived: '2026-11-28' }],
  '/times': [820, { basket: 85, stock: 1940, payment: 305 }],
  '/releases': [310, [{ service: 'stock', release: '2026.48.1', at: '18:02' }]],
  '/log': [1_250, { lines: 200, slow: 188, text: 'select … where article = $1   161 ms' }],
};

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export const startShopServices = async (): Promise<ShopServices> => {
  const refusedOnce = new Set<string>();
  const think = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages } = JSON.parse(await bodyOf(request)) as { readonly messages: readonly Message[] };
    const { answer, at } = answerTo(messages);
    const { refused } = answer;
    if (refused === undefined || (refusedOnce.has(at) && !refused.always)) return stream(response, answer, at);
    refusedOnce.add(at);
    send(response, refused.status, { error: { message: refused.message, type: 'refused', param: null, code: null } });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '', 'http://shop');
    if (pathname.endsWith('/chat/completions')) return think(request, response);
    await bodyOf(request);
    // Whoever listens here has moved.
    if (pathname === '/hooks/old-office') return send(response, 503, { error: 'moved' });
    const [ms, body] = interfaces[pathname] ?? [30, { ok: true }];
    await pause(ms);
    send(response, 200, body);
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
