/** How turns end other than well: told apart in the snapshot, the stream, the webhooks and the client (failure case 15). */
import { createClient } from '@turnkeeper/client/create-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../client/receiver.ts';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

type TurnFacts = { readonly turn_id: string; readonly status: string; readonly error_code?: string; readonly reason?: string };
type ToolFacts = { readonly turn_id: string; readonly status: string };
/** What tells the four apart, by turn. */
const words = ['turn.completed', 'turn.failed', 'turn.cancelled', 'turn.timed_out', 'turn.interrupted', 'budget.exceeded', 'required_action.resolved'];

export const describeEndings = (target: () => Target): void => {
  describe('a cancel by a person, a failing provider, a denial and a budget’s stop', () => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await openReceiver();
    });
    afterAll(() => receiver.close());

    test('can be told apart wherever one looks', async () => {
      const { call, newSession, submit, settled, follow, url, token } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      await call('POST', `${path}/webhooks`, { body: { url: receiver.url, event_types: words }, key: freshKey() });
      const stream = await follow(`${path}/events/stream`);
      const statusOf = async (turn: string): Promise<unknown> => (await call('GET', `${path}/turns/${turn}`)).body['status'];
      const reaches = (turn: string, status: string) =>
        eventually(
          () => statusOf(turn),
          (now) => now === status,
        );

      const cancelled = await submit(session, [[{ text: 'wait' }, { hang: true }]]);
      await reaches(cancelled, 'running');
      await call('POST', `${path}/turns/${cancelled}/cancel`, { body: {}, key: freshKey() });
      const failed = await submit(session, [[{ error: { status: 500, retryable: false } }]]);
      const denied = await submit(session, [[{ tool: { name: 'launch', input: {} } }], [{ text: 'as you like' }]]);
      await reaches(denied, 'requires_action');
      const open = (await call('GET', `${path}/turns/${denied}/actions`)).body['required_actions'] as Record<string, unknown>;
      const answer = { request_id: Object.keys(open)[0], payload: { allow: false, reason: 'not today' } };
      expect((await call('POST', `${path}/turns/${denied}/actions`, { body: answer, key: freshKey() })).status).toBe(202);
      await settled(session, denied);
      const { used } = (await call('GET', `${path}/budget`)).body as unknown as { used: { model_calls: number } };
      await call('PUT', `${path}/budget`, { body: { max_model_calls: used.model_calls } });
      const stopped = await submit(session, [[{ text: 'never' }]]);
      await reaches(stopped, 'interrupted');

      const all = [cancelled, failed, denied, stopped];
      const expected = [
        ['cancelled', null, 'none'],
        ['failed', 'model_error', 'none'],
        ['completed', null, 'denied'],
        ['interrupted', 'budget_exceeded', 'none'],
      ];

      // The snapshot: the turn's status and error, and the call that was denied.
      const { turns, tools } = (await call('GET', `${path}/snapshot`)).body as unknown as { turns: { data: TurnFacts }[]; tools: { data: ToolFacts }[] };
      const shown = all.map((turn) => {
        const one = turns.find(({ data }) => data.turn_id === turn)?.data;
        const tool = tools.find(({ data }) => data.turn_id === turn)?.data;
        return [one?.status, one?.error_code ?? null, tool?.status ?? 'none'];
      });
      expect(shown).toEqual(expected);

      // The stream, as it came.
      const told = [
        ['turn.cancelled'],
        ['turn.failed model_error'],
        ['required_action.resolved denied', 'turn.completed'],
        ['budget.exceeded max_model_calls', 'turn.interrupted budget_exceeded'],
      ];
      const streamed = await stream.until((events) => events.some(({ data }) => data.type === 'turn.interrupted' && data.turn_id === stopped));
      stream.close();
      const wordsOf = (events: readonly { readonly type: string; readonly turn_id?: string; readonly data: Record<string, unknown> }[], turn: string) =>
        events
          .filter(({ type, turn_id }) => turn_id === turn && words.includes(type))
          .map(({ type, data }) => {
            const why = data['resolution'] ?? data['limit'] ?? data['error_code'] ?? (type === 'turn.interrupted' ? data['reason'] : undefined);
            return why === undefined ? type : `${type} ${String(why)}`;
          });
      const envelopes = streamed.map(({ data }) => data);
      expect(all.map((turn) => wordsOf(envelopes, turn))).toEqual(told);

      // Webhooks have no content: the types differ, and the address of each event leads to the rest.
      await receiver.got(({ notice }) => notice['type'] === 'turn.interrupted' && notice['turn_id'] === stopped);
      const notices = receiver.received.map(({ notice }) => notice);
      const read = async (turn: string) => {
        const events = [];
        for (const notice of notices.filter(({ turn_id }) => turn_id === turn))
          events.push((await call('GET', new URL(String(notice['event_url'])).pathname)).body as unknown as (typeof envelopes)[number]);
        return [wordsOf(events, turn), notices.filter(({ turn_id }) => turn_id === turn).map(({ type }) => type)];
      };
      for (const [n, turn] of all.entries()) expect(await read(turn)).toEqual([told[n], told[n]?.map((word) => word.split(' ')[0])]);

      // The client.
      const client = createClient({ baseUrl: url, token });
      try {
        const seen = [];
        for (const turn of all) {
          const { status, errorCode } = await client.turns.get(session, turn);
          const view = await client.turns.snapshot(session, turn);
          const tool = Object.values(view.tools)[0] as ToolFacts | undefined;
          seen.push([status, errorCode ?? null, tool?.status ?? 'none']);
          expect(wordsOf((await client.turns.events(session, turn, { limit: 1_000 })).data as never, turn)).toEqual(told[seen.length - 1]);
        }
        expect(seen).toEqual(expected);
        for (const turn of [cancelled, failed, denied]) expect(await client.waitForTurn(session, turn)).toMatchObject({ done: true });
        // It is not over: more budget, and it goes on.
        expect(await client.waitForTurn(session, stopped, { timeoutMs: 50 })).toMatchObject({ done: false, turn: { status: 'interrupted' } });
      } finally {
        client.close();
      }
    });
  });
};
