/** Events: history, streams, cursors, and what holds between them. */
import { describe, expect, test } from 'vitest';
import { sessions, type Target } from '../client/target.ts';

export const describeStreams = (target: () => Target): void => {
  const script = [[{ text: 'hello world', chunk: 2 }, { tool: { name: 'calculator', input: { expression: '1+1' } } }], [{ text: 'two' }]];

  describe('a stream', () => {
    test('can be cut at every event and resumed: nothing is lost, nothing comes twice', async () => {
      const { newSession, submit, settled, follow, history } = target();
      const session = await newSession();
      const turn = await submit(session, script);
      await settled(session, turn);
      for (const path of [`${sessions}/${session}`, `${sessions}/${session}/turns/${turn}`]) {
        const log = await history(`${path}/events`);
        expect(log.length).toBeGreaterThan(10);
        for (const [at, { cursor }] of log.slice(0, -1).entries()) {
          const rest = log.slice(at + 1).map(({ id }) => id);
          const stream =
            at % 2 === 0 ? await follow(`${path}/events/stream?after=${cursor}`) : await follow(`${path}/events/stream`, { 'last-event-id': cursor });
          const events = await stream.until((got) => got.length >= rest.length);
          expect(events.map(({ data }) => data.id)).toEqual(rest);
          expect(events.map(({ id }) => id)).toEqual(events.map(({ data }) => data.cursor));
          stream.close();
        }
      }
    });

    test('while the turn runs gives all that ever reads the log later', async () => {
      const { newSession, submit, settled, follow, history } = target();
      const session = await newSession();
      const path = `${sessions}/${session}/events`;
      const watcher = await follow(`${path}/stream`);
      const turns = [await submit(session, [[{ text: 'x'.repeat(200), chunk: 3 }]]), await submit(session, script)];
      // A reader that is cut off all the time, and goes on from where it was.
      const seen: string[] = [];
      let cursor = '';
      while (!seen.includes(`turn.completed ${turns[1]}`)) {
        const stream = await follow(`${path}/stream?after=${cursor}`);
        const events = await stream.until((got) => got.length > 0);
        for (const event of [...events]) {
          seen.push(`${event.event} ${event.data.turn_id ?? ''}`);
          cursor = event.id;
        }
        stream.close();
      }
      await settled(session, turns[1] ?? '');
      const log = await history(path);
      const events = await watcher.until((got) => got.length >= log.length);
      expect(events.map(({ data }) => data)).toEqual(log);
      expect(seen).toEqual(log.slice(0, seen.length).map(({ type, turn_id }) => `${type} ${turn_id ?? ''}`));
      watcher.close();
    });

    test('of a turn has only its events, and ends after its outcome', async () => {
      const { newSession, submit, follow, history } = target();
      const session = await newSession();
      const [first, second] = [await submit(session, [[{ delay_ms: 100 }, { text: 'one' }]]), await submit(session, [[{ text: 'two' }]])];
      const streams = await Promise.all([first, second].map((turn) => follow(`${sessions}/${session}/turns/${turn}/events/stream`)));
      await Promise.all(streams.map(({ ended }) => ended));
      for (const [at, turn] of [first, second].entries()) {
        const log = await history(`${sessions}/${session}/turns/${turn}/events`);
        expect(streams[at]?.events.map(({ data }) => data)).toEqual(log);
        expect(log.at(-1)?.type).toBe('turn.completed');
        expect(log.every(({ turn_id }) => turn_id === turn)).toBe(true);
      }
    });

    test('from now on brings only what is new', async () => {
      const { newSession, submit, settled, follow } = target();
      const session = await newSession();
      await settled(session, await submit(session, [[{ text: 'old' }]]));
      const stream = await follow(`${sessions}/${session}/events/stream?after=latest`);
      const turn = await submit(session, [[{ text: 'new' }]]);
      const events = await stream.until((got) => got.some(({ event }) => event === 'turn.completed'));
      expect(events.every(({ data }) => data.turn_id === undefined || data.turn_id === turn)).toBe(true);
      stream.close();
    });

    test('ends when its session is deleted; closing one cancels nothing', async () => {
      const { call, newSession, submit, settled, follow } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ delay_ms: 200 }, { text: 'on' }]]);
      const closed = await follow(`${sessions}/${session}/turns/${turn}/events/stream`);
      closed.close();
      expect((await settled(session, turn)).body['status']).toBe('completed');
      const stream = await follow(`${sessions}/${session}/events/stream?after=latest`);
      await call('DELETE', `${sessions}/${session}`);
      await stream.ended;
    });
  });

  describe('an event', () => {
    test('is the same everywhere, but for its cursor', async () => {
      const { call, newSession, submit, settled, history } = target();
      const session = await newSession();
      const turn = await submit(session, script);
      await settled(session, turn);
      const ofSession = await history(`${sessions}/${session}/events`);
      const ofTurn = await history(`${sessions}/${session}/turns/${turn}/events`);
      const bare = ({ cursor: _cursor, ...rest }: (typeof ofSession)[number]) => rest;
      expect(ofTurn.map(bare)).toEqual(ofSession.filter(({ turn_id }) => turn_id === turn).map(bare));
      const event = ofSession[5];
      expect((await call('GET', `${sessions}/${session}/events/${event?.id}`)).body).toEqual(event);
      expect((await call('GET', `${sessions}/${session}/events/evt_none`)).status).toBe(404);
      expect(ofSession.filter(({ type, data }) => type.startsWith('turn.') && data['turn_id'] !== turn)).toEqual([]);
    });
  });

  describe('a cursor', () => {
    test('of another stream, or that is none, is refused; one ahead of the log too', async () => {
      const { call, newSession, submit, settled, history } = target();
      const [session, other] = [await newSession(), await newSession()];
      const turn = await submit(session, script);
      await settled(session, turn);
      const path = `${sessions}/${session}`;
      const ofSession = (await history(`${path}/events`)).at(-1)?.cursor ?? '';
      const ofTurn = (await history(`${path}/turns/${turn}/events`)).at(-1)?.cursor ?? '';
      const wrong: [string, string][] = [
        [`${path}/events`, ofTurn],
        [`${path}/turns/${turn}/events`, ofSession],
        [`${sessions}/${other}/events`, ofSession],
        [`${path}/events`, 'nonsense'],
        [`${path}/events`, `${ofSession}x`],
        [`${path}/events`, ofSession.slice(0, -1)],
      ];
      for (const [address, cursor] of wrong) {
        for (const tail of ['', '/stream']) {
          expect([cursor, await call('GET', `${address}${tail}?after=${cursor}`)]).toMatchObject([cursor, { status: 400, body: { code: 'invalid_cursor' } }]);
        }
      }
      // Longer than `other`: its positions are not committed there. They are another stream's, so they are refused before.
      expect((await call('GET', `${sessions}/${other}/events?after=${ofSession}`)).status).toBe(400);
      expect((await call('GET', `${path}/events?after=${ofSession}`)).body).toMatchObject({ data: [], has_more: false, next_cursor: ofSession });
    });

    test('of two the newer one counts', async () => {
      const { newSession, submit, settled, follow, history } = target();
      const session = await newSession();
      await settled(session, await submit(session, script));
      const log = await history(`${sessions}/${session}/events`);
      const [older, newer] = [log[2]?.cursor ?? '', log[6]?.cursor ?? ''];
      for (const [after, last] of [
        [older, newer],
        [newer, older],
      ]) {
        const stream = await follow(`${sessions}/${session}/events/stream?after=${after}`, { 'last-event-id': last ?? '' });
        expect((await stream.until((got) => got.length > 0))[0]?.data.id).toBe(log[7]?.id);
        stream.close();
      }
    });
  });
};
