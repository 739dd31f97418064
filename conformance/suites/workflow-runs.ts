/** Turns of workflows: their steps, what they wait for, what people do to them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { byToken, newPerson, openAction } from '../client/people.ts';
import { eventually, freshKey, inTime, sessions, type Target } from '../client/target.ts';
import { furnishRuns, type Runs, turnPath } from '../client/workflow-runs.ts';

export const describeWorkflowRuns = (target: () => Target): void => {
  let runs: Runs;
  let echo = '';
  beforeAll(async () => {
    runs = furnishRuns(target());
    echo = await runs.newAgent('demo:echo');
  });
  /** An agent that says what it is told. */
  const says = (key: string, message: string, more: object = {}) => ({ key, type: 'agent', agentId: echo, input: { message }, ...more });
  const plays = (key: string, ...steps: readonly (readonly unknown[])[]) => says(key, JSON.stringify(JSON.stringify({ steps })), { agentId: target().agent });
  const signal = (key: string) => ({ key, type: 'signal', signalName: 'news' });
  const edge = (from: string, to: string, more: object = {}) => ({ from, to, ...more });
  const post = (session: string, turn: string, what: string, key = freshKey(), body: unknown = {}) =>
    target().call('POST', `${turnPath(session, turn)}/${what}`, { body, key });
  const turnIs = (session: string, turn: string, status: string) =>
    eventually(
      () => target().call('GET', turnPath(session, turn)),
      ({ body }) => body['status'] === status,
    );

  describe('a turn of a workflow', () => {
    test('is told step by step, in its stream and its snapshot, and comes to its last outputs', async () => {
      const { open, submit, steps, foldedTurn } = runs;
      const session = await open({
        nodes: [
          says('write', "'a report about ' + run.input.topic"),
          { key: 'long', type: 'condition', condition: 'size(nodes.write.output) > 5' },
          says('send', "'sent: ' + nodes.write.output"),
          says('drop', "'dropped'"),
        ],
        edges: [edge('write', 'long'), edge('long', 'send'), edge('long', 'drop', { condition: '!nodes.long.output' })],
      });
      const turn = await submit(session, { topic: 'tea' });
      const stream = await target().follow(`${turnPath(session, turn)}/events/stream`);
      const events = await stream.until((all) => all.some(({ event }) => event === 'turn.completed'));
      stream.close();
      const begun = events.filter(({ data }) => data.type === 'step.updated' && data.data['status'] === 'running').map(({ data }) => data.data['key']);
      expect(begun).toEqual(['write', 'send']);
      expect((await target().settled(session, turn)).body).toMatchObject({
        status: 'completed',
        outputText: 'sent: a report about tea',
        result: { send: 'sent: a report about tea' },
      });
      expect(await steps(session, turn)).toMatchObject({
        write: { type: 'agent', status: 'succeeded', attempt: 1, input: { message: 'a report about tea' }, output: 'a report about tea', taken: [0] },
        long: { type: 'condition', status: 'succeeded', output: true },
        send: { status: 'succeeded', child_session_id: expect.any(String) },
        drop: { status: 'skipped', attempt: 0 },
      });
      const { folded, stored } = await foldedTurn(session, turn);
      expect(folded).toEqual(stored);
    });

    test('has snapshots that are the whole with the events after them', async () => {
      const { open, submit, snapshots, folded } = runs;
      const session = await open({
        nodes: [
          { key: 'each', type: 'map', items: 'run.input.items', maxParallel: 2, node: { type: 'agent', agentId: echo, input: { message: "'did ' + item" } } },
          plays('ask', [{ tool: { name: 'lookup', input: {} } }], [{ text: 'looked' }]),
          { key: 'all', type: 'join', join: { mode: 'all' } },
        ],
        edges: [edge('each', 'all'), edge('ask', 'all')],
      });
      const turn = await submit(session, { items: ['a', 'b', 'c'] });
      const taken = [await snapshots(session)];
      const action = await openAction(target(), session, turn);
      taken.push(await snapshots(session));
      await post(session, turn, 'actions', freshKey(), { request_id: action, payload: { output: 'x' } });
      taken.push(await snapshots(session));
      const { body } = await target().settled(session, turn);
      expect(body).toMatchObject({ status: 'completed', result: { all: { each: ['did a', 'did b', 'did c'], ask: 'looked' } } });
      const { whole, stored, from } = await folded(session);
      expect(stored).toEqual(whole);
      for (const snapshot of taken) expect(from(snapshot)).toEqual(whole);
    });

    test('tries a step again, and goes the way of a failure that an edge takes up; one that none takes fails it', async () => {
      const { open, submit, ends } = runs;
      const wrong = plays('wrong', [{ error: { message: 'no', retryable: false } }]);
      const mended = await open({
        nodes: [{ ...wrong, retry: { maxAttempts: 2 } }, says('mend', "'mended after ' + nodes.wrong.status"), says('on', "'on'")],
        edges: [edge('wrong', 'mend', { on: ['failed'] }), edge('wrong', 'on')],
      });
      const first = await submit(mended, {});
      expect((await target().settled(mended, first)).body).toMatchObject({ status: 'completed', outputText: 'mended after failed' });
      expect(await ends(mended, first)).toEqual({ wrong: 'failed 2', mend: 'succeeded 1', on: 'skipped 0' });
      const broken = await open({ nodes: [wrong, signal('news')] });
      const second = await submit(broken, {});
      const { body } = await target().settled(broken, second);
      expect(body).toMatchObject({ status: 'failed', errorMessage: expect.stringContaining('"wrong"') });
      expect(await ends(broken, second)).toEqual({ wrong: 'failed 1', news: 'cancelled 1' });
    });

    test('is judged by an expression, and begins anew while a try is left', async () => {
      const { open, submit, history } = runs;
      const flaky = JSON.stringify({ steps: [[{ error: { message: 'no', retryable: false, times: 1 } }, { text: 'fine' }]], key: crypto.randomUUID() });
      const session = await open({
        nodes: [says('try', JSON.stringify(flaky), { agentId: target().agent }), says('tell', "'it ' + nodes.try.status")],
        edges: [edge('try', 'tell', { on: ['succeeded', 'failed'] })],
        output: 'nodes.tell.output',
      });
      const turn = await submit(session, {}, { outcome: { expression: "result == 'it succeeded'", maxTries: 2 } });
      expect((await target().settled(session, turn)).body).toMatchObject({
        status: 'completed',
        result: 'it succeeded',
        verdict: { status: 'satisfied', tries: 2 },
      });
      const ended = (await history(session)).filter(({ type, data }) => type === 'step.updated' && data['key'] === 'tell' && data['output'] !== undefined);
      expect(ended.map(({ data }) => data['output'])).toEqual(['it failed', 'it succeeded']);
      expect(new Set(ended.map(({ data }) => data['step_id'])).size).toBe(2);
    });
  });

  describe('what a workflow waits for', () => {
    test('an approval of those whom it names, and of nobody else', async () => {
      const { open, submit, steps } = runs;
      const editor = await newPerson(target(), 'editor');
      const session = await open({
        nodes: [
          { key: 'ok', type: 'approval', approval: { approverRef: editor.id, prompt: 'Send {{ run.input.what }}?' } },
          says('send', "'sent'"),
          says('keep', "'kept'"),
        ],
        edges: [edge('ok', 'send'), edge('ok', 'keep', { on: ['rejected'] })],
      });
      const decide = async (decision: string) => {
        const turn = await submit(session, { what: 'it' });
        const request_id = await openAction(target(), session, turn);
        const body = { request_id, decision, payload: { reason: 'as I like' } };
        expect(await post(session, turn, 'actions', freshKey(), body)).toMatchObject({ status: 403, body: { code: 'approver_required' } });
        const inbox = (await target().call('GET', '/api/v1/required-actions', byToken(editor.token))).body['required_actions'] as Record<string, object>;
        expect(inbox[request_id]).toMatchObject({ kind: 'approval', prompt: 'Send it?', session_id: session, step_id: expect.any(String) });
        const answer = await target().call('POST', `${turnPath(session, turn)}/actions`, { body, key: freshKey(), ...byToken(editor.token) });
        expect(answer.status).toBe(202);
        return { turn, ended: (await target().settled(session, turn)).body };
      };
      const sent = await decide('approved');
      expect(sent.ended).toMatchObject({ status: 'completed', outputText: 'sent' });
      expect(await steps(session, sent.turn)).toMatchObject({
        ok: { output: { approved: true, by: `user:${editor.id}`, reason: 'as I like' } },
        keep: { status: 'skipped' },
      });
      const kept = await decide('rejected');
      expect(kept.ended).toMatchObject({ status: 'completed', outputText: 'kept' });
      expect(await steps(session, kept.turn)).toMatchObject({ ok: { status: 'rejected' }, send: { status: 'skipped' } });
    });

    test('a signal, once by its key; what else there was a race with is let go', async () => {
      const { open, submit, ends } = runs;
      const session = await open({
        nodes: [signal('paid'), { key: 'late', type: 'timer', timer: { durationSeconds: 3_600 } }, { key: 'first', type: 'join', join: { mode: 'any' } }],
        edges: [edge('paid', 'first'), edge('late', 'first')],
      });
      const turn = await submit(session, {});
      const request_id = await openAction(target(), session, turn);
      const [key, body] = [freshKey(), { request_id, payload: { sum: 3 } }];
      const told = await post(session, turn, 'actions', key, body);
      expect(told.status).toBe(202);
      expect((await post(session, turn, 'actions', key, body)).body).toEqual(told.body);
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'completed', result: { first: { paid: { sum: 3 } } } });
      expect((await post(session, turn, 'actions', key, body)).body).toEqual(told.body);
      expect((await post(session, turn, 'actions', freshKey(), { request_id, payload: { sum: 4 } })).status).toBe(409);
      expect(await ends(session, turn)).toEqual({ paid: 'succeeded 1', late: 'cancelled 1', first: 'succeeded 1' });
    });

    test('a timer, as a turn that is queued until then', async () => {
      const { open, submit, history } = runs;
      // One that is over when the turn would be queued for it is not waited for.
      const { asleep, queued } = await inTime(1_000, async (forMs) => {
        const session = await open({
          nodes: [{ key: 'wait', type: 'timer', timer: { durationSeconds: forMs / 1_000 } }, says('go', "'gone'")],
          edges: [edge('wait', 'go')],
        });
        const turn = await submit(session, {});
        expect((await target().settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'gone' });
        const log = await history(session);
        const asleep = log.find(({ type, data }) => type === 'step.updated' && data['status'] === 'sleeping');
        const queued = log.find(({ type, data }) => type === 'turn.queued' && data['reason'] === 'timer');
        return queued && { asleep, queued };
      });
      expect(queued.data['not_before']).toBe(asleep?.data['until']);
    });
  });

  describe('what people do to a workflow', () => {
    test('it is paused: what is answered meanwhile is kept, and nothing begins until it is resumed', async () => {
      const { open, submit, ends } = runs;
      const session = await open({ nodes: [signal('news'), says('go', "'gone'")], edges: [edge('news', 'go')] });
      const turn = await submit(session, {});
      const request_id = await openAction(target(), session, turn);
      await turnIs(session, turn, 'requires_action');
      const { body: able } = await target().call('GET', `${turnPath(session, turn)}/capabilities`);
      expect(able['available_commands']).toEqual(expect.arrayContaining(['actions', 'cancel', 'pause']));
      const key = freshKey();
      const paused = await post(session, turn, 'pause', key);
      expect(paused).toMatchObject({ status: 202 });
      expect((await post(session, turn, 'pause', key)).body).toEqual(paused.body);
      expect(await post(session, turn, 'pause')).toMatchObject({ status: 409, body: { code: 'turn_closed' } });
      await turnIs(session, turn, 'interrupted');
      expect((await post(session, turn, 'actions', freshKey(), { request_id, payload: 'now' })).status).toBe(202);
      expect((await target().call('GET', turnPath(session, turn))).body).toMatchObject({ status: 'interrupted', errorCode: 'paused' });
      expect(await ends(session, turn)).toEqual({ news: 'succeeded 1' });
      expect((await post(session, turn, 'resume')).status).toBe(202);
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'gone' });
      const plain = await target().newSession();
      const other = await target().submit(plain, [[{ tool: { name: 'lookup', input: {} } }], [{ text: 'done' }]]);
      await openAction(target(), plain, other);
      expect(await post(plain, other, 'pause')).toMatchObject({ status: 409, body: { code: 'not_supported' } });
      await post(plain, other, 'cancel');
    });

    test('it is cancelled with all that is open', async () => {
      const { open, submit, ends } = runs;
      const session = await open({
        nodes: [plays('hang', [{ hang: true }]), signal('news'), { key: 'nap', type: 'timer', timer: { durationSeconds: 3_600 } }],
      });
      const turn = await submit(session, {});
      await openAction(target(), session, turn);
      expect((await post(session, turn, 'cancel')).status).toBe(202);
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'cancelled' });
      expect(await ends(session, turn)).toEqual({ hang: 'cancelled 1', news: 'cancelled 1', nap: 'cancelled 1' });
      expect((await target().call('GET', `${turnPath(session, turn)}/actions`)).body['required_actions']).toEqual({});
      const [child] = await eventually(
        async () =>
          ((await target().call('GET', `${sessions}/${session}/subagents`)).body['data'] as { data: { child_session_id: string } }[]).map(
            ({ data }) => data.child_session_id,
          ),
        ({ length }) => length > 0,
      );
      await eventually(
        () => target().call('GET', `${sessions}/${session}/subagents/${child}`),
        (found) => found.body['status'] === 'idle',
      );
    });

    test('it is run again as a turn of its own, once by its key', async () => {
      const { open, submit } = runs;
      const session = await open({ nodes: [says('say', "'hi ' + run.input.name")] });
      const turn = await submit(session, { name: 'Ann' });
      await target().settled(session, turn);
      const key = freshKey();
      const again = await post(session, turn, 'rerun', key);
      expect(again.status).toBe(202);
      expect((await post(session, turn, 'rerun', key)).body['id']).toBe(again.body['id']);
      const { body } = await target().settled(session, String(again.body['id']));
      expect(body).toMatchObject({ status: 'completed', outputText: 'hi Ann', metadata: { rerun_of: turn } });
      expect((await target().call('GET', `${sessions}/${session}/turns`)).body['items']).toHaveLength(2);
    });
  });
};
