/** Checkpoints, restores, forks, and contexts that become too long. */
import { describe, expect, test } from 'vitest';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

type Checkpoint = { readonly checkpoint_id: string; readonly reason: string; readonly turn_id: string | null };

export const describeContext = (target: () => Target): void => {
  /** Says each of these; the script's answer repeats the word. */
  const talk = async (session: string, ...words: readonly string[]): Promise<readonly string[]> => {
    const turns: string[] = [];
    for (const word of words) {
      const turn = await target().submit(session, [[{ text: `said ${word}` }]]);
      expect((await target().settled(session, turn)).body['status']).toBe('completed');
      turns.push(turn);
    }
    return turns;
  };
  /** What the model is shown now. */
  const prompt = async (session: string): Promise<string> => {
    const turn = await target().submit(session, [[{ echo: 'prompt' }]]);
    return String((await target().settled(session, turn)).body['outputText']);
  };
  const checkpoints = async (session: string): Promise<readonly Checkpoint[]> =>
    (await target().call('GET', `${sessions}/${session}/checkpoints`)).body['data'] as readonly Checkpoint[];
  const restore = (session: string, checkpoint_id: string, key = freshKey()) =>
    target().call('POST', `${sessions}/${session}/checkpoints/restore`, { body: { checkpoint_id, reason: 'again' }, key });
  const fork = (session: string, body: Record<string, unknown>, key: string | undefined = freshKey()) =>
    target().call('POST', `${sessions}/${session}/fork`, { body: { reason: 'a trial', ...body }, ...(key === undefined ? {} : { key }) });

  describe('the context', () => {
    test('has a checkpoint after each turn, listed newest first in pages, and says that it can be restored and forked', async () => {
      const session = await target().newSession();
      const turns = await talk(session, 'a', 'b', 'c');
      const path = `${sessions}/${session}/checkpoints`;
      const first = await target().call('GET', `${path}?limit=2`);
      const rest = await target().call('GET', `${path}?limit=2&after=${first.body['next_cursor']}`);
      expect(rest).toMatchObject({ status: 200 });
      expect([first.body['has_more'], rest.body['has_more'], rest.body['next_cursor']]).toEqual([true, false, null]);
      const all = [...(first.body['data'] as Checkpoint[]), ...(rest.body['data'] as Checkpoint[])];
      expect(all.map(({ turn_id, reason }) => [turn_id, reason])).toEqual(turns.toReversed().map((turn) => [turn, 'turn.completed']));
      expect(JSON.stringify(all)).not.toContain('said');
      expect(await target().call('GET', `${path}?after=nonsense`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
      const { capabilities } = (await target().call('GET', `${sessions}/${session}/capabilities`)).body;
      expect(capabilities).toMatchObject({ checkpoints: true, fork: true });
    });

    test('goes on from a checkpoint; the history stays', async () => {
      const session = await target().newSession();
      const [first] = await talk(session, 'one', 'two');
      const id = (await checkpoints(session)).find(({ turn_id }) => turn_id === first)?.checkpoint_id ?? '';
      const key = freshKey();
      expect(await restore(session, id, key)).toMatchObject({ status: 200, body: { id: session } });
      const again = await restore(session, id, key);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(await restore(session, 'ckpt_other', key)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      const shown = await prompt(session);
      expect([shown.includes('said one'), shown.includes('said two')]).toEqual([true, false]);
      const events = await target().history(`${sessions}/${session}/events`);
      expect(events.filter(({ type }) => type === 'session.restored').map(({ data }) => data)).toEqual([
        { checkpoint_id: id, from_turn_id: first, reason: 'again' },
      ]);
      expect(events.filter(({ type }) => type === 'turn.completed')).toHaveLength(3);
      expect(await restore(session, 'ckpt_none')).toMatchObject({ status: 404 });
      expect(await target().call('POST', `${sessions}/${session}/checkpoints/restore`, { body: { checkpoint_id: id } })).toMatchObject({ status: 400 });
    });

    test('stays as it is while a turn is under way: what is in the way is named', async () => {
      const session = await target().newSession();
      await talk(session, 'one');
      const id = (await checkpoints(session))[0]?.checkpoint_id ?? '';
      const turn = await target().submit(session, [[{ hang: true }]]);
      await eventually(
        () => target().call('GET', `${sessions}/${session}/turns/${turn}`),
        ({ body }) => body['status'] === 'running',
      );
      const busy = { status: 409, body: { code: 'session_busy', in_the_way: ['running_turn'], turn_ids: [turn] } };
      expect(await restore(session, id)).toMatchObject(busy);
      expect(await fork(session, {})).toMatchObject(busy);
      await target().call('POST', `${sessions}/${session}/turns/${turn}/cancel`, { body: {}, key: freshKey() });
      await target().settled(session, turn);
      expect(await restore(session, id)).toMatchObject({ status: 200 });
    });
  });

  describe('a fork', () => {
    test('is a session of its own that goes on from the context, also when the first one is deleted', async () => {
      const session = await target().newSession();
      const [first] = await talk(session, 'one', 'two');
      const key = freshKey();
      const made = await fork(session, { at: first, title: 'Another try' }, key);
      expect(made).toMatchObject({ status: 201, body: { title: 'Another try', status: 'idle', forked_from: { session_id: session, turn_id: first } } });
      expect(await fork(session, { at: first, title: 'Another try' }, key)).toMatchObject({ status: 201, body: { id: made.body['id'] } });
      await target().call('DELETE', `${sessions}/${session}`);
      const id = String(made.body['id']);
      expect((await target().call('GET', `${sessions}/${id}`)).body['forked_from']).toEqual(made.body['forked_from']);
      const before = await target().history(`${sessions}/${id}/events`);
      expect(before.map(({ type }) => type)).toEqual(['session.status_created', 'session.context_initialized']);
      expect(JSON.stringify(before)).not.toContain(session);
      const shown = await prompt(id);
      expect([shown.includes('said one'), shown.includes('said two')]).toEqual([true, false]);
    });

    test('fills an empty session of the same agent, once', async () => {
      const session = await target().newSession();
      await talk(session, 'one');
      const empty = await target().newSession();
      expect(await fork(session, { target_session_id: empty })).toMatchObject({ status: 200, body: { id: empty, forked_from: { session_id: session } } });
      expect(await fork(session, { target_session_id: empty })).toMatchObject({ status: 409, body: { code: 'fork_target_unfit', why: 'not_empty' } });
      expect(await fork(session, { target_session_id: session })).toMatchObject({ status: 409, body: { why: 'same_session' } });
      expect(await fork(session, { target_session_id: 'ses_none' })).toMatchObject({ status: 404 });
      const archived = await target().newSession();
      await target().call('POST', `${sessions}/${archived}/archive`, { body: {} });
      expect(await fork(session, { target_session_id: archived })).toMatchObject({ status: 409, body: { code: 'session_archived' } });
      expect(await fork(session, { target_session_id: empty, title: 'x' })).toMatchObject({ status: 422 });
      expect(await fork(session, { at: 'turn_x', checkpoint_id: 'ckpt_x' })).toMatchObject({ status: 422 });
      expect(await fork(await target().newSession(), {})).toMatchObject({ status: 404 });
    });
  });

  describe('a context that becomes too long', () => {
    const narrow = async (contextWindow: number): Promise<string> => {
      const definition = { system: 'You play scripts.', model: 'demo:script', contextWindow };
      const agentKey = `narrow-${crypto.randomUUID().slice(0, 8)}`;
      const { agent } = (await target().call('POST', '/api/v1/agents', { body: { agentKey, displayName: 'Narrow', definition } })).body as {
        agent: { id: string };
      };
      return String((await target().call('POST', sessions, { body: { agent: agent.id } })).body['id']);
    };

    test('is compacted: the model is shown a summary, the history keeps all, and a checkpoint keeps what was', async () => {
      const session = await narrow(2_000);
      const words = 'lorem ipsum '.repeat(120);
      await talk(session, `first ${words}`, `second ${words}`, `third ${words}`);
      const events = await target().history(`${sessions}/${session}/events`);
      const [compacted] = events.filter(({ type }) => type === 'context.compacted');
      expect(compacted?.data).toMatchObject({ replaced_items: expect.any(Number) });
      expect(events.filter(({ type }) => type === 'item.completed')).toHaveLength(6);
      expect(events.filter(({ type, data }) => type === 'usage.recorded' && data['model_call_id'] === compacted?.data['model_call_id'])).toHaveLength(1);
      const before = (await checkpoints(session)).find(({ reason }) => reason === 'context.compacted');
      expect(before?.turn_id).toBe(compacted?.turn_id);
      const { body } = await target().call('GET', `${sessions}/${session}/turns/${before?.turn_id}`);
      expect(body).toMatchObject({ status: 'completed', usage: { model_calls: 2 } });
    });

    test('that a model refuses is compacted and tried once more; where nothing helps, the turn says why', async () => {
      const session = await narrow(1_000_000);
      await talk(session, 'a '.repeat(2_000));
      const refuses = (over: number) => [[{ error: { code: 'context_length_exceeded', retryable: false, over } }, { text: 'fits' }]];
      const helped = await target().submit(session, refuses(700));
      expect((await target().settled(session, helped)).body).toMatchObject({ status: 'completed', outputText: 'fits' });
      const lost = await target().submit(session, refuses(1));
      expect((await target().settled(session, lost)).body).toMatchObject({ status: 'failed', errorCode: 'context_length_exceeded' });
    });
  });
};
