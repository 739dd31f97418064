/** Forms, approvals and signals: what is asked, who answers, what the agent is told. */
import { describe, expect, test } from 'vitest';
import { byKey, byToken, type Credential, newApplication, newKey, newPerson, openAction } from '../client/people.ts';
import { type Answer, freshKey, sessions, type Target } from '../client/target.ts';

const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } }, required: ['city'] };

export const describeInquiries = (target: () => Target): void => {
  const agentWith = async (tool: object): Promise<string> => {
    const definition = { system: 'x', model: 'demo:script', tools: [{ type: 'builtin', ...tool }] };
    const made = await target().call('POST', '/api/v1/agents', {
      body: { agentKey: `asks-${crypto.randomUUID().slice(0, 8)}`, displayName: 'Asks', definition },
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return (made.body['agent'] as { id: string }).id;
  };
  /** A turn whose agent uses the tool of this definition, and waits. */
  const asking = async (tool: { readonly name: string }, input: object, by: Partial<Credential> = {}, agent?: string) => {
    const { call } = target();
    const message = JSON.stringify({ steps: [[{ tool: { name: tool.name, input } }], [{ echo: 'prompt' }]] });
    const body = { agent: agent ?? (await agentWith(tool)), initialMessage: { message } };
    const made = await call('POST', sessions, { body, key: freshKey(), ...by });
    const { id: session, turnId: turn } = made.body as { readonly id: string; readonly turnId: string };
    const action = await openAction(target(), session, turn);
    const path = `${sessions}/${session}/turns/${turn}/actions`;
    const open = (await call('GET', path)).body['required_actions'] as Record<string, Record<string, unknown>>;
    const answer = (said: object, as: Partial<Credential> = by, key = freshKey()): Promise<Answer> =>
      call('POST', path, { body: { request_id: action, ...said }, key, ...as });
    return { session, turn, action, asked: open[action], answer };
  };

  describe('a form', () => {
    test('is submitted with values that fit its schema; faults are named by their places', async () => {
      const { session, turn, asked, answer } = await asking({ name: 'ask_form' }, { title: 'Trip', schema });
      expect(asked).toMatchObject({ kind: 'form', form: { title: 'Trip', schema: { required: ['city'] } }, answer_schema: { required: ['submitted'] } });
      const wrong = await answer({ payload: { submitted: true, values: { days: 0 } } });
      expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      const pointers = (wrong.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
      expect(pointers.toSorted()).toEqual(['/payload/values', '/payload/values/days']);
      expect((await answer({ payload: { submitted: true, values: { city: 'Rome' } }, expected_version: 2 })).body['code']).toBe('action_version_conflict');
      expect((await answer({ payload: { submitted: true, values: { city: 'Rome', days: 3 } } })).status).toBe(202);
      const { body } = await target().settled(session, turn);
      expect(body).toMatchObject({ status: 'completed' });
      expect(body['outputText']).toContain('Rome');
    });

    test('that is handed back is denied', async () => {
      const { session, turn, answer } = await asking({ name: 'ask_form' }, { title: 'Trip', schema });
      expect((await answer({ payload: { submitted: false } })).status).toBe(202);
      expect((await target().settled(session, turn)).body['outputText']).toContain('declined');
    });
  });

  describe('an approval', () => {
    test('is given by whom the definition names, and by nobody else', async () => {
      const boss = await newPerson(target(), 'boss');
      const tool = { name: 'request_approval', approverRef: boss.id, prompt: 'Pay it?' };
      const { session, turn, action, asked, answer } = await asking(tool, { details: '900 to ACME' });
      expect(asked).toMatchObject({ kind: 'approval', approver: [boss.id], prompt: 'Pay it?\n\n900 to ACME' });
      expect(await answer({ decision: 'approved' })).toMatchObject({ status: 403, body: { code: 'approver_required' } });
      const by = byToken(boss.token);
      const inbox = await target().call('GET', '/api/v1/required-actions', by);
      expect(Object.keys(inbox.body['required_actions'] as object)).toEqual([action]);
      expect(await answer({ payload: {} }, by)).toMatchObject({ status: 422 });
      expect((await answer({ decision: 'rejected', payload: { reason: 'too dear' } }, by)).status).toBe(202);
      expect((await target().settled(session, turn)).body['outputText']).toContain('Rejected: too dear');
    });

    test('may ask for a role in the application: no key has it', async () => {
      const [operator, approver] = [await newPerson(target(), 'operator'), await newPerson(target(), 'approver')];
      const members = [
        { userId: operator.id, roles: ['operator'] },
        { userId: approver.id, roles: ['approver'] },
      ];
      const application = await newApplication(target(), { members });
      const tool = { name: 'request_approval', approverRef: 'role:approver' };
      const agent = await agentWith(tool);
      const key = await newKey(target(), application.id, { targets: [{ type: 'agent', id: agent }] });
      const { session, turn, action, answer } = await asking(tool, {}, byKey(key), agent);
      for (const by of [byKey(key), byToken(operator.token)]) expect(await answer({ decision: 'approved' }, by)).toMatchObject({ status: 403 });
      const inbox = async (by: Credential) => Object.keys((await target().call('GET', '/api/v1/required-actions', by)).body['required_actions'] as object);
      expect([await inbox(byToken(operator.token)), await inbox(byToken(approver.token))]).toEqual([[], [action]]);
      expect((await answer({ decision: 'approved' }, byToken(approver.token))).status).toBe(202);
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'completed' });
    });

    test('needs a definition that names somebody who is there', async () => {
      for (const tool of [
        { name: 'request_approval' },
        { name: 'request_approval', approverRef: 'usr_nobody' },
        { name: 'ask_user', approverRef: 'role:admin' },
      ]) {
        const definition = { system: 'x', model: 'demo:script', tools: [{ type: 'builtin', ...tool }] };
        expect((await target().call('POST', '/api/v1/agents', { body: { agentKey: 'never-made', displayName: 'x', definition } })).status).toBe(422);
      }
    });
  });

  describe('a signal', () => {
    test('is sent by a key, with any JSON, and counts once', async () => {
      const application = await newApplication(target());
      const agent = await agentWith({ name: 'wait_for_signal' });
      const key = await newKey(target(), application.id, { targets: [{ type: 'agent', id: agent }] });
      const { session, turn, asked, answer } = await asking({ name: 'wait_for_signal' }, { signalName: 'parcel' }, byKey(key), agent);
      expect(asked).toMatchObject({ kind: 'signal', signal_name: 'parcel' });
      const sent = await answer({ payload: ['arrived', 7] }, byKey(key), 'parcel-1');
      const again = await answer({ payload: ['arrived', 7] }, byKey(key), 'parcel-1');
      expect([sent.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 202, 'true']);
      expect(await answer({ payload: 8 }, byKey(key))).toMatchObject({ status: 409, body: { code: 'action_resolved' } });
      expect((await target().settled(session, turn)).body['outputText']).toContain('arrived');
    });

    test('that does not come in time is what the tool says', async () => {
      const tool = { name: 'wait_for_signal', expiresSeconds: 1, onExpiry: { parcel: 'lost' } };
      // Nobody looks at it while it is open: on a busy machine it may be over by then.
      const message = JSON.stringify({ steps: [[{ tool: { name: tool.name, input: { signalName: 'parcel' } } }], [{ echo: 'prompt' }]] });
      const { body } = await target().call('POST', sessions, { body: { agent: await agentWith(tool), initialMessage: { message } }, key: freshKey() });
      const [session, turn] = [String(body['id']), String(body['turnId'])];
      expect((await target().settled(session, turn)).body['outputText']).toContain('lost');
      expect((await target().history(`${sessions}/${session}/events`)).map(({ type }) => type)).toContain('session.status_requires_action');
    });
  });
};
