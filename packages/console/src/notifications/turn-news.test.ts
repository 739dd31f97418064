import type { SessionQuery } from '@turnkeeper/client/calls/sessions';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { expect, test } from 'vitest';
import { createTurnNews } from './turn-news.ts';

const session = (id: string, updatedAt: number, changes: Partial<SessionResource> = {}): SessionResource =>
  ({ id, updatedAt, status: 'idle', title: id, owner: { type: 'user', id: 'usr_1' }, ...changes }) as SessionResource;

/** A server whose sessions and turns a test changes. */
const served = (sessions: Map<string, SessionResource>, turns: Map<string, { status: string; ended_at?: number }>) => {
  const asked: SessionQuery[] = [];
  let fails = false;
  const look = createTurnNews(
    {
      sessions: async (query) => {
        asked.push(query);
        if (fails) throw new Error('away');
        return { items: [...sessions.values()].filter(({ updatedAt }) => updatedAt >= (query.updated_from ?? 0)) };
      },
      lastTurn: async (id) => turns.get(id),
    },
    ({ type, id }) => (type === 'user' && id === 'usr_1') || (type === 'minitool' && id === 'bot'),
  );
  return {
    asked,
    fail: (next: boolean): void => {
      fails = next;
    },
    look: async (): Promise<string[]> => (await look()).map((news) => `${news.session.id} ${news.kind}`),
  };
};
const put = (sessions: Map<string, SessionResource>, ...all: readonly SessionResource[]): void => all.forEach((each) => void sessions.set(each.id, each));

test('TN1 a turn that ended and one that waits are news, once; what was so before anybody looked away is none', async () => {
  const [sessions, turns] = [new Map<string, SessionResource>(), new Map<string, { status: string; ended_at?: number }>()];
  put(sessions, session('a', 10, { status: 'running' }), session('b', 12), session('c', 11, { status: 'requires_action' }));
  turns.set('b', { status: 'completed', ended_at: 12 });
  const { look, asked } = served(sessions, turns);
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  put(sessions, session('a', 20), session('b', 21, { status: 'requires_action' }), session('c', 22, { status: 'running' }));
  turns.set('a', { status: 'failed', ended_at: 20 });
  expect((await look()).toSorted()).toEqual(['a ended', 'b waiting']);
  expect(await look()).toEqual([]);
  expect(asked.map(({ updated_from }) => updated_from)).toEqual([undefined, 0, 0, 0]);
});

test('TN1 of others, of background sessions, of what was cancelled or only renamed there is no news', async () => {
  const [sessions, turns] = [new Map<string, SessionResource>(), new Map<string, { status: string; ended_at?: number }>()];
  const hour = 3_600_000;
  put(sessions, session('first', hour), session('renamed', hour - 5), session('asks', hour - 4, { status: 'requires_action' }));
  const { look } = served(sessions, turns);
  await look();
  const bot = { owner: { type: 'minitool', id: 'bot' } } as const;
  put(
    sessions,
    session('other', hour + 5, { owner: { type: 'user', id: 'usr_2' } }),
    session('app', hour + 5, { owner: { type: 'application', id: 'usr_1' } }),
    session('strange', hour + 5, { owner: { type: 'minitool', id: 'other' }, activity: 'interactive' }),
    session('quiet', hour + 5, { ...bot, activity: 'background' }),
    session('quiet too', hour + 5, { ...bot, activity: 'background', status: 'requires_action' }),
    session('stopped', hour + 5),
    session('renamed', hour + 5),
    session('asks', hour + 5, { status: 'requires_action' }),
    session('old', hour + 5),
    session('new', hour + 5),
    session('chat', hour + 6, { ...bot, activity: 'interactive' }),
  );
  for (const id of ['other', 'app', 'strange', 'quiet', 'chat']) turns.set(id, { status: 'completed', ended_at: hour + 5 });
  turns.set('stopped', { status: 'cancelled', ended_at: hour + 5 });
  turns.set('renamed', { status: 'completed', ended_at: hour - 5 });
  turns.set('old', { status: 'completed', ended_at: hour - 100_000 });
  expect(await look()).toEqual(['chat ended']);
});

test('TN2 what happened while the server was away is told afterwards', async () => {
  const [sessions, turns] = [new Map<string, SessionResource>(), new Map<string, { status: string; ended_at?: number }>()];
  put(sessions, session('a', 1, { status: 'running' }));
  const { look, fail } = served(sessions, turns);
  await look();
  put(sessions, session('a', 2));
  turns.set('a', { status: 'completed', ended_at: 2 });
  fail(true);
  await expect(look()).rejects.toThrow('away');
  fail(false);
  expect(await look()).toEqual(['a ended']);
});

test('TN3 an end that is stamped before what was read already, and comes later, is told', async () => {
  const [sessions, turns] = [new Map<string, SessionResource>(), new Map<string, { status: string; ended_at?: number }>()];
  put(sessions, session('a', 100_000, { status: 'running' }), session('b', 100_500));
  const { look, asked } = served(sessions, turns);
  await look();
  put(sessions, session('b', 200_000, { status: 'running' }));
  expect(await look()).toEqual([]);
  put(sessions, session('a', 199_000), session('new', 199_001));
  turns.set('a', { status: 'completed', ended_at: 199_000 });
  turns.set('new', { status: 'completed', ended_at: 199_001 });
  expect((await look()).toSorted()).toEqual(['a ended', 'new ended']);
  expect(await look()).toEqual([]);
  expect(asked.at(-1)?.updated_from).toBe(140_000);
});
