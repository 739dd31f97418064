/** Turns: submitting, order, waiting, failing, resuming. */
import { describe, expect, test } from 'vitest';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

export const describeTurns = (target: () => Target): void => {
  describe('a turn', () => {
    test('is accepted, runs, and says what came of it', async () => {
      const { call, newSession, settled } = target();
      const session = await newSession();
      const body = { message: '{"script":[{"text":"Grüße 👩‍👩‍👧 🇪🇺 你好","chunk":1}]}' };
      const receipt = await call('POST', `${sessions}/${session}/turns`, { body, key: freshKey() });
      expect(receipt).toMatchObject({ status: 202, body: { sessionId: session, status: 'queued', queuePosition: 0, errorCode: null } });
      const { id, statusUrl, snapshotUrl, eventsUrl } = receipt.body as Record<string, string>;
      const done = await settled(session, id ?? '');
      expect(done.body).toMatchObject({
        id,
        sessionId: session,
        status: 'completed',
        outputText: 'Grüße 👩‍👩‍👧 🇪🇺 你好',
        errorCode: null,
        runs: 1,
        usage: { model_calls: 1 },
      });
      expect(done.body['endedAt']).toBeGreaterThanOrEqual(done.body['startedAt'] as number);
      expect((await call('GET', statusUrl ?? '')).body).toEqual(done.body);
      expect((await call('GET', snapshotUrl ?? '')).status).toBe(200);
      const stream = await target().follow(eventsUrl ?? '');
      await stream.ended;
      expect(stream.events.at(-1)?.event).toBe('turn.completed');
    });

    test('may be given as content blocks', async () => {
      const { call, newSession, settled } = target();
      const session = await newSession();
      const content = [
        { type: 'text', text: '{"script":[{"text":"seen"}]}' },
        { type: 'data', data: { a: 1 } },
      ];
      const receipt = await call('POST', `${sessions}/${session}/turns`, {
        body: { input: [{ role: 'user', content }], metadata: { ticket: 7 } },
        key: freshKey(),
      });
      expect((await settled(session, String(receipt.body['id']))).body).toMatchObject({ status: 'completed', metadata: { ticket: 7 } });
      const { body } = await call('GET', `${sessions}/${session}/items`);
      const items = (body['data'] as { data: { item: { role: string; content: unknown } } }[]).map(({ data }) => data.item);
      expect(items.find(({ role }) => role === 'user')?.content).toEqual(content);
    });

    test('waits its turn: first come, first served, one at a time', async () => {
      const { call, newSession, submit, settled, history } = target();
      const session = await newSession();
      const turns: string[] = [];
      for (let n = 0; n < 5; n += 1) turns.push(await submit(session, [[{ delay_ms: 30 }, { text: `${n}` }]]));
      await settled(session, turns[4] ?? '');
      const events = await history(`${sessions}/${session}/events`);
      const marks = events.filter(({ type }) => type === 'turn.running' || type === 'turn.completed').map(({ type, turn_id }) => `${type} ${turn_id}`);
      expect(marks).toEqual(turns.flatMap((turn) => [`turn.running ${turn}`, `turn.completed ${turn}`]));
      const listed = await call('GET', `${sessions}/${session}/turns?limit=3`);
      expect((listed.body['items'] as { id: string }[]).map(({ id }) => id)).toEqual(turns.slice(0, 3));
      expect(listed.body['next_offset']).toBe(3);
    });

    test('can be waited for, for a while or to its end', async () => {
      const { call, newSession, submit } = target();
      const session = await newSession();
      const endless = await submit(session, [[{ hang: true }]]);
      const path = `${sessions}/${session}/turns/${endless}`;
      const status = async (wait: number) => (await call('GET', `${path}?wait=${wait}`)).body['status'];
      // It may still be queued when the first of these waits is over.
      await eventually(
        () => status(0.1),
        (now) => now === 'running',
      );
      const held = status(600);
      await call('POST', `${path}/cancel`, { body: {}, key: freshKey() });
      expect([await held, await status(30)]).toEqual(['cancelled', 'cancelled']);
      const late = await submit(session, [[{ delay_ms: 300 }, { text: 'late' }]]);
      expect((await call('GET', `${sessions}/${session}/turns/${late}?wait=30`)).body['status']).toBe('completed');
      expect(await call('GET', `${path}?wait=601`)).toMatchObject({ status: 422 });
    });

    test('that fails says why, holds up nobody, and can be resumed until another one started', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      // What the failed attempt left in the context counts as the script's first step.
      const turn = await submit(session, [[{ error: { message: 'no luck', retryable: false } }], [{ text: 'second try' }]]);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'failed', errorCode: 'model_error', outputText: null });
      const path = `${sessions}/${session}/turns/${turn}`;
      expect((await call('GET', `${path}/capabilities`)).body['available_commands']).toEqual(['resume']);
      const resumed = await call('POST', `${path}/resume`, { body: {}, key: freshKey() });
      expect(resumed).toMatchObject({ status: 202, body: { command: { kind: 'resume', turn_id: turn } } });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'second try', runs: 2, errorCode: null });
      expect(await call('POST', `${path}/resume`, { body: {}, key: freshKey() })).toMatchObject({ status: 409 });
      expect(await call('GET', String(resumed.body['status_url']))).toMatchObject({ status: 200, body: { command: { status: 'completed' } } });
      const other = await submit(session, [[{ error: { message: 'again', retryable: false } }]]);
      await settled(session, other);
      await settled(session, await submit(session, [[{ text: 'next' }]]));
      expect(await call('POST', `${sessions}/${session}/turns/${other}/resume`, { body: {}, key: freshKey() })).toMatchObject({ status: 409 });
    });

    test('beyond twenty unfinished ones is refused, and takes no key', async () => {
      const { call, newSession, submit } = target();
      const session = await newSession();
      const first = await submit(session, [[{ hang: true }]]);
      for (let n = 1; n < 20; n += 1) await submit(session, [[{ text: 'x' }]]);
      const key = freshKey();
      const path = `${sessions}/${session}/turns`;
      const full = await call('POST', path, { body: { message: 'x' }, key });
      expect(full).toMatchObject({ status: 429, body: { code: 'queue_full', scope: 'session', limit: 20, pending_count: 20, retry_after_ms: 1000 } });
      expect(full.headers.get('retry-after')).toBe('1');
      await call('POST', `${path}/${first}/cancel`, { body: {}, key: freshKey() });
      await target().settled(session, first);
      expect(await call('POST', path, { body: { message: 'x' }, key })).toMatchObject({ status: 202 });
    });
  });
};
