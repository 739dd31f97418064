/** Snapshots, pages of resources, usage: all equal to the fold of the events. */

import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import { applyTurnEvent, emptyTurnView, type TurnView } from '@turnkeeper/core/view/turn-view';
import { describe, expect, test } from 'vitest';
import { sessions, type Target } from '../client/target.ts';

/** What the server adds to the shared view. */
const bare = ({ has_more: _more, page_cursors: _cursors, session, ...view }: SessionView & { has_more?: unknown; page_cursors?: unknown }) => ({
  ...view,
  session: { id: session.id, status: session.status, archived: session.archived },
});

/** Near all places of a short turn are looked at; one that takes long is not slowed down by that. */
const breath = (taken: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, taken < 200 ? 0 : 50));

export const describeViews = (target: () => Target): void => {
  const busy = (n: number) => [
    [{ text: `answer ${n} `, chunk: 2 }, { tool: { name: 'calculator', input: { expression: `${n}+1` } } }, { delay_ms: 5 }],
    [{ text: 'done', chunk: 1 }],
  ];

  describe('a snapshot', () => {
    test('and the events after it are the whole, wherever it is taken', async () => {
      const { call, newSession, submit, settled, history } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      const turns = [await submit(session, busy(1)), await submit(session, busy(2)), await submit(session, [[{ error: { message: 'no', retryable: false } }]])];
      const snapshots: SessionView[] = [];
      for (let more = true; more; ) {
        snapshots.push((await call('GET', `${path}/snapshot`)).body as unknown as SessionView);
        more = (await call('GET', `${path}/turns/${turns[2]}`)).body['status'] !== 'failed';
        await breath(snapshots.length);
      }
      await settled(session, turns[2] ?? '');
      const log = (await history(`${path}/events`)) as readonly Envelope[];
      const last = (await call('GET', `${path}/snapshot`)).body as unknown as SessionView;
      const whole = log.reduce(applyEvent, emptyView(last.session, ''));
      expect(bare(last)).toEqual(bare(whole));
      for (const snapshot of snapshots) {
        const at = log.findIndex(({ cursor }) => cursor === snapshot.as_of);
        expect(at).toBeGreaterThan(-1);
        expect(bare(log.slice(at + 1).reduce(applyEvent, snapshot))).toEqual(bare(whole));
      }
    });

    test('of a turn likewise', async () => {
      const { call, newSession, submit, history } = target();
      const session = await newSession();
      const turn = await submit(session, busy(3));
      const path = `${sessions}/${session}/turns/${turn}`;
      const snapshots: TurnView[] = [];
      for (let more = true; more; ) {
        const snapshot = (await call('GET', `${path}/snapshot`)).body as unknown as TurnView;
        snapshots.push(snapshot);
        more = snapshot.turn?.status !== 'completed';
        await breath(snapshots.length);
      }
      const log = (await history(`${path}/events`)) as readonly Envelope[];
      const whole = log.reduce(applyTurnEvent, emptyTurnView(''));
      const seqs = log.map(({ cursor }) => cursor);
      for (const snapshot of snapshots) {
        // A turn's as_of may stand at an event of the session between two of the turn's: read on from it.
        const rest = (await call('GET', `${path}/events?limit=1000&after=${snapshot.as_of}`)).body['data'] as Envelope[];
        expect(rest.map(({ cursor }) => cursor)).toEqual(seqs.slice(seqs.length - rest.length));
        const { as_of: _a, ...got } = rest.reduce(applyTurnEvent, snapshot);
        const { as_of: _b, ...wanted } = whole;
        expect(got).toEqual(wanted);
      }
    });

    test('shows the newest, and says where the older ones are', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      for (let n = 0; n < 4; n += 1) await settled(session, await submit(session, [[{ text: `${n}` }]]));
      const all = (await call('GET', `${path}/resources/items?limit=1000`)).body['data'] as { data: { item_id: string } }[];
      const snapshot = (await call('GET', `${path}/snapshot?limit=3`)).body as {
        items: typeof all;
        has_more: Record<string, boolean>;
        page_cursors: Record<string, string>;
      };
      expect(snapshot.items).toEqual(all.slice(-3));
      expect(snapshot.has_more['items']).toBe(true);
      const older = await call('GET', `${path}/resources/items?limit=3&after=${snapshot.page_cursors['items']}`);
      expect(older.body['data']).toEqual(all.slice(-6, -3));
    });
  });

  describe('pages of resources', () => {
    test('come in a fixed order, each once, and their cursors are no event cursors', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      for (let n = 0; n < 3; n += 1) await settled(session, await submit(session, busy(n)));
      for (const list of ['items', 'tools', 'turns', 'runs']) {
        const whole = (await call('GET', `${path}/resources/${list}?limit=1000`)).body;
        const collected: unknown[] = [];
        for (let after = ''; ; ) {
          const { body } = await call('GET', `${path}/resources/${list}?limit=2&after=${after}`);
          collected.push(...(body['data'] as unknown[]));
          expect(body['as_of']).toEqual(whole['as_of']);
          if (body['has_more'] !== true) break;
          after = String(body['next_cursor']);
        }
        expect([list, collected]).toEqual([list, whole['data']]);
        expect(collected.length).toBeGreaterThan(2);
      }
      expect((await call('GET', `${path}/items`)).body).toEqual((await call('GET', `${path}/resources/items`)).body);
      expect((await call('GET', `${path}/tools`)).body).toEqual((await call('GET', `${path}/resources/tools`)).body);
      const page = String((await call('GET', `${path}/items?limit=1`)).body['next_cursor']);
      expect(await call('GET', `${path}/events?after=${page}`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
      expect(await call('GET', `${path}/tools?after=${page}`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    });
  });

  describe('usage', () => {
    test('is summed by turn and by session, and says what it does not know', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      const one = await submit(session, [[{ text: 'a' }, { usage: { input: 10, output: 5 } }]]);
      const two = await submit(session, [[{ text: 'b' }, { usage: false }]]);
      await settled(session, two);
      expect((await call('GET', `${path}/turns/${one}/usage`)).body['data']).toMatchObject({
        model_calls: 1,
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: 15,
      });
      const all = await call('GET', `${path}/usage`);
      expect(all.body['data']).toMatchObject({
        model_calls: 2,
        total_tokens: 15,
        cost_complete: false,
        unpriced_calls: 1,
        by_model: { 'demo:script': { model_calls: 2 } },
      });
      // What the context holds now is one session's own, and no sum.
      const { context_tokens: _, ...sums } = all.body['data'] as Record<string, unknown>;
      expect((await call('GET', `${path}/usage?include_children=true`)).body).toMatchObject({
        data: sums,
        session_watermarks: { [session]: expect.any(String) },
      });
    });
  });
};
