/** FW3: what streams is told before the event that says it whole, and never behind it. */

import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { expect, test } from 'vitest';
import { FeedRow } from '../../app/feed.ts';
import type { PagedWatcher } from '../../app/feeds.ts';
import { settle } from '../../testing/harness/settle.ts';
import { LiveText, type LiveTextOptions } from './live-text.ts';

const sessionId = 'ses_1' as SessionId;
const followed = { sid: 1, sessionId, minitoolId: 'bot', after: 0 };
const row = (seq: number, type: string, data: object = {}): LogRow => ({
  sid: 1,
  seq,
  turn: 1,
  type,
  at: 0,
  data: JSON.stringify({ turn_id: 'turn_1', ...data }),
});
const delta = (seq: number, text: string): LogRow => row(seq, 'item.delta', { item_id: 'item_1', content: [{ type: 'text', text }] });

/** A session whose turn runs, read up to place 3. */
const watching = async (caughtUp: (live: LiveText) => void = () => {}, hears = (): boolean => true) => {
  let watcher: PagedWatcher | undefined;
  const told: string[] = [];
  const events: JsonObject[] = [];
  let stopped = false;
  const reads: string[] = [];
  const sessions = {
    store: {
      resource: async (_sid: number, id: string) => {
        reads.push(id);
        return { kind: 'turn', body: JSON.stringify(id === 'turn_1' ? { metadata: { chat: 7 } } : {}) };
      },
    },
    newest: async () => ({ head: {} }),
    feeds: {
      watch: async (_session: unknown, _after: number, given: PagedWatcher) => {
        watcher = given;
        return { stop: () => (stopped = true) };
      },
    },
  };
  const live: LiveText = new LiveText({
    app: { sessions } as unknown as LiveTextOptions['app'],
    catchUp: async () => {
      told.push('caught up');
      caughtUp(live);
    },
    hears,
    tell: (_id, event) => {
      events.push(event);
      told.push(String(event['delta']));
    },
  });
  live.followed(followed, 3, [row(3, 'turn.running')]);
  await settle(2);
  const push = async (...rows: readonly LogRow[]): Promise<void> => {
    watcher?.push(rows.map((each) => new FeedRow(sessionId, each)));
    await settle(2);
  };
  return { live, told, events, reads, push, stopped: () => stopped, isWatched: () => watcher !== undefined };
};

test('nothing is watched for whom nobody listens; who begins to listen hears what follows the next event', async () => {
  let listens = false;
  const { live, told, push, isWatched } = await watching(undefined, () => listens);
  expect(isWatched()).toBe(false);
  listens = true;
  live.followed(followed, 5, [row(5, 'item.completed')]);
  await settle(2);
  await push(delta(6, 'one'));
  listens = false;
  await push(delta(7, 'two'));
  expect([isWatched(), told]).toEqual([true, ['one']]);
});

test('a turn that has ended is not watched for who begins to listen after it', async () => {
  let listens = false;
  const { live, isWatched } = await watching(undefined, () => listens);
  live.followed(followed, 6, [row(6, 'turn.completed')]);
  listens = true;
  live.followed(followed, 7, [row(7, 'session.status_idle')]);
  await settle(2);
  expect(isWatched()).toBe(false);
});

test('deltas are told as they come; what is no text is not', async () => {
  const { told, push } = await watching();
  await push(delta(4, 'one '), row(5, 'item.delta', { item_id: 'item_1', content: [{ type: 'tool_use', id: 'c', content: '{' }] }));
  await push(delta(6, 'two'));
  expect(told).toEqual(['one ', 'two']);
});

test('a delta has the metadata of the message which began its turn; it is read once for each turn', async () => {
  const { events, reads, push } = await watching();
  await push(delta(4, 'one '), delta(5, 'two'), row(6, 'item.delta', { turn_id: 'turn_2', item_id: 'item_2', content: [{ type: 'text', text: 'three' }] }));
  expect(events.map(({ delta: text, metadata }) => [text, metadata])).toEqual([
    ['one ', { chat: 7 }],
    ['two', { chat: 7 }],
    ['three', undefined],
  ]);
  expect(reads).toEqual(['turn_1', 'turn_2']);
});

test('an event that lies before a delta is told before it', async () => {
  const { told, push } = await watching((live) => live.followed(followed, 5, []));
  await push(delta(4, 'one'), row(5, 'item.completed'), delta(6, 'two'));
  expect(told).toEqual(['one', 'caught up', 'two']);
});

test('a delta behind whose place an event was told is not told any more', async () => {
  const { live, told, push } = await watching();
  live.followed(followed, 7, []);
  await push(delta(4, 'late'), delta(8, 'new'));
  expect(told).toEqual(['new']);
});

test('nothing is watched once the turn waits or has ended', async () => {
  for (const type of ['turn.completed', 'turn.requires_action', 'turn.cancelled']) {
    const { live, told, push, stopped } = await watching();
    live.followed(followed, 9, [row(9, type)]);
    await push(delta(10, 'late'));
    expect([told, stopped()]).toEqual([[], true]);
  }
});
