import type { ShowNews } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';

const frame = (news: ShowNews): string => `event: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`;
const closed = (id: string): ShowNews => ({ type: 'closed', id, reason: 'answered' });
const now: ShowNews = { type: 'now', shows: [] };

/** Says no more than this, and ends when it is given up. */
const silent =
  (...news: readonly ShowNews[]) =>
  (signal: AbortSignal): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(news.map(frame).join('')));
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
    );

/** Answers each connection with the next of these; after the last one it is silent. */
const serving = (answers: readonly ((signal: AbortSignal) => Response)[]) => {
  const signals: AbortSignal[] = [];
  const client = createClient({
    baseUrl: 'http://host',
    token: 't',
    fetch: async (_url, { signal }) => {
      const at = signals.push(signal as AbortSignal) - 1;
      return (answers[at] ?? silent())(signal as AbortSignal);
    },
  });
  return { client, signals };
};
const said = (...news: readonly ShowNews[]) => new Response(news.map(frame).join(''));
const refused = (status: number, code: string) =>
  new Response(JSON.stringify({ status, code, detail: code }), { status, headers: { 'content-type': 'application/problem+json' } });

test('it comes again after a cut, a silence and a server that is away, and is told anew what is shown; it ends with its signal', async () => {
  const { client, signals } = serving([() => said(now, closed('a')), () => refused(503, 'shutting_down'), silent(closed('b')), () => said(now, closed('c'))]);
  const leave = new AbortController();
  const heard: ShowNews[] = [];
  const follow = async (): Promise<void> => {
    for await (const news of client.minitools.ui.stream({ signal: leave.signal, silenceMs: 40 })) {
      heard.push(news);
      if (news.type === 'closed' && news.id === 'c') leave.abort(new Error('left'));
    }
  };
  await expect(follow()).rejects.toThrow('left');
  expect(heard).toEqual([now, closed('a'), closed('b'), now, closed('c')]);
  expect(signals).toHaveLength(4);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test('a refusal that repeating cannot change is told, and not repeated', async () => {
  const { client, signals } = serving([() => refused(403, 'forbidden')]);
  await expect(client.minitools.ui.stream({ signal: new AbortController().signal }).next()).rejects.toMatchObject({ code: 'forbidden' });
  expect(signals).toHaveLength(1);
});
