/** Turns of teams: what the leader delegates, how its steps are told, and who answers what members ask. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openAction } from '../client/people.ts';
import { freshKey, sessions, type Target } from '../client/target.ts';
import { furnishRuns, type Runs, turnPath } from '../client/workflow-runs.ts';

type Directives = readonly (readonly unknown[])[];

export const describeTeamRuns = (target: () => Target): void => {
  let runs: Runs;
  beforeAll(() => {
    runs = furnishRuns(target());
  });
  const script = (steps: Directives): string => JSON.stringify({ steps, key: crypto.randomUUID() });
  const delegate = (member: string, steps: Directives, more: object = {}) => ({
    tool: { name: 'delegate', input: { member, message: script(steps), ...more } },
  });
  const team = (over: object = {}) => {
    const agentId = target().agent;
    const members = [
      { name: 'finder', agentId, role: 'Finds.', retry: { maxAttempts: 2 } },
      { name: 'writer', agentId, role: 'Writes.' },
    ];
    return runs.openTeam({ name: 'Desk', leader: { agentId }, members, ...over });
  };
  const ask = async (session: string, steps: Directives): Promise<string> => {
    const { body } = await target().call('POST', `${sessions}/${session}/turns`, { body: { message: script(steps) }, key: freshKey() });
    return String(body['id']);
  };
  const failing = (more: object = {}) => ({ error: { message: 'no', retryable: false, ...more } });

  describe('a turn of a team', () => {
    test('has a step for each piece, tries again what failed, and is its leader’s final message', async () => {
      const session = await team();
      const turn = await ask(session, [
        [delegate('finder', [[failing({ times: 1 }), { text: 'found' }]]), delegate('writer', [[{ text: 'written' }]])],
        [{ text: 'done' }],
      ]);
      const stream = await target().follow(`${turnPath(session, turn)}/events/stream`);
      const events = await stream.until((all) => all.some(({ event }) => event === 'turn.completed'));
      stream.close();
      const told = new Map<unknown, string[]>();
      for (const { event, data } of events)
        if (event.startsWith('step.')) told.set(data.data['step_id'], [...(told.get(data.data['step_id']) ?? []), `${event} ${String(data.data['status'])}`]);
      // Each step for itself: the first of them may have failed before the other begins.
      expect([...told.values()].map(([first]) => first)).toEqual(['step.updated running', 'step.updated running']);
      expect([...told.values()].flat()).toEqual(expect.arrayContaining(['step.failed failed', 'step.updated delayed']));
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
      // Calls of one step are dispatched side by side: which of them is numbered first is not promised.
      const pieces = Object.values(await runs.steps(session, turn));
      expect(pieces).toHaveLength(2);
      expect(pieces.find(({ name }) => name === 'finder')).toMatchObject({ type: 'delegation', status: 'succeeded', attempt: 2, output: 'found' });
      expect(pieces.find(({ name }) => name === 'writer')).toMatchObject({ type: 'delegation', status: 'succeeded', attempt: 1, output: 'written' });
      const { folded, stored } = await runs.foldedTurn(session, turn);
      expect(folded).toEqual(stored);
      const whole = await runs.folded(session);
      expect(whole.stored).toEqual(whole.whole);
      const { body } = await target().call('GET', `${sessions}/${session}/usage?include_children=true`);
      expect(body['data']).toMatchObject({ model_calls: 5 });
    });

    test('is a success in part where a piece failed for good, and knows nothing of the one before', async () => {
      const session = await team();
      const first = await ask(session, [[delegate('writer', [[failing()]])], [{ text: 'half of it' }]]);
      expect((await target().settled(session, first)).body).toMatchObject({ status: 'partial_succeeded', outputText: 'half of it' });
      expect(await runs.ends(session, first)).toEqual({ 1: 'failed 1' });
      const second = await ask(session, [[{ echo: 'prompt' }]]);
      const { body } = await target().settled(session, second);
      expect(body['status']).toBe('completed');
      expect(body['outputText']).not.toContain('half of it');
    });

    test('shows what its members ask, and takes the answer', async () => {
      const session = await team();
      const turn = await ask(session, [[delegate('writer', [[{ tool: { name: 'lookup', input: {} } }], [{ text: 'looked' }]])], [{ text: 'done' }]]);
      const request_id = await openAction(target(), session, turn);
      const body = { request_id, payload: { output: 'it' } };
      expect((await target().call('POST', `${turnPath(session, turn)}/actions`, { body, key: freshKey() })).status).toBe(202);
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
      expect(Object.values(await runs.steps(session, turn))).toMatchObject([{ name: 'writer', output: 'looked' }]);
    });

    test('that is cancelled ends with its members', async () => {
      const session = await team();
      const turn = await ask(session, [[delegate('writer', [[{ tool: { name: 'lookup', input: {} } }]])]]);
      await openAction(target(), session, turn);
      expect((await target().call('POST', `${turnPath(session, turn)}/cancel`, { body: {}, key: freshKey() })).status).toBe(202);
      expect((await target().settled(session, turn)).body).toMatchObject({ status: 'cancelled' });
      expect(await runs.ends(session, turn)).toEqual({ 1: 'cancelled 1' });
    });
  });
};
