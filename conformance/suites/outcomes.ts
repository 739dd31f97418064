/** Outcome checks: what a turn's result must be, how often it is tried, and the verdict. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';
import { furnishRuns } from '../client/workflow-runs.ts';

export const describeOutcomes = (target: () => Target): void => {
  const submit = (session: string, outcome: unknown, ...texts: readonly string[]) =>
    target().call('POST', `${sessions}/${session}/turns`, {
      body: { message: JSON.stringify({ steps: texts.map((text) => [{ text }]) }), outcome },
      key: freshKey(),
    });
  const judged = async (outcome: unknown, ...texts: readonly string[]) => {
    const session = await target().newSession();
    const made = await submit(session, outcome, ...texts);
    expect(made.status).toBe(202);
    const turn = String(made.body['id']);
    const { body } = await target().settled(session, turn);
    const log = await target().history(`${sessions}/${session}/events`);
    return { session, turn, body, checks: log.filter(({ type }) => type.startsWith('outcome.')).map(({ type, data }) => [type, data['status']]) };
  };

  describe('an outcome check', () => {
    test('by an expression tells the agent why it is not satisfied, and takes its next answer', async () => {
      const { body, checks } = await judged({ expression: "result.contains('yes')", maxTries: 3 }, 'no', 'yes, it is');
      expect(body).toMatchObject({ status: 'completed', outputText: 'yes, it is', verdict: { status: 'satisfied', tries: 2, reasons: [] } });
      expect(checks).toEqual([
        ['outcome.checked', 'not_satisfied'],
        ['outcome.checked', 'satisfied'],
      ]);
    });

    test('that is not satisfied leaves the turn completed, with what is wrong', async () => {
      const schema = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } };
      const { body, turn, session } = await judged({ schema, expression: 'result.total > 3', maxTries: 2 }, '{"total": "4"}', '{"total": 2}');
      expect(body).toMatchObject({ status: 'completed', verdict: { status: 'not_satisfied', tries: 2, reasons: ['`result.total > 3` is not true'] } });
      const listed = (await target().call('GET', `${sessions}/${session}/turns`)).body['items'] as { id: string }[];
      expect(listed.find(({ id }) => id === turn)).toMatchObject({ verdict: { status: 'not_satisfied' } });
      expect((await judged(undefined, 'x')).body['verdict'] ?? null).toBeNull();
    });

    test('by a rubric asks its judge, whose calls count; one that gives no verdict satisfies nobody', async () => {
      const agentId = await furnishRuns(target()).newAgent('demo:echo');
      const { body, session, checks } = await judged({ rubric: { agentId, criteria: 'It is friendly.' } }, 'hello');
      expect(body).toMatchObject({ status: 'completed', outputText: 'hello', verdict: { status: 'not_satisfied', tries: 1 } });
      expect(checks).toEqual([
        ['outcome.judging', undefined],
        ['outcome.checked', 'not_satisfied'],
      ]);
      const own = (await target().call('GET', `${sessions}/${session}/usage`)).body['data'] as { model_calls: number };
      const all = (await target().call('GET', `${sessions}/${session}/usage?include_children=true`)).body['data'] as { model_calls: number };
      expect(own.model_calls).toBe(1);
      expect(all.model_calls).toBeGreaterThan(1);
    });

    test('that could never be looked at is refused, each fault by its place', async () => {
      const session = await target().newSession();
      const faulty: readonly (readonly [outcome: unknown, pointer: string])[] = [
        [{}, '/outcome'],
        [{ expression: 'result ==' }, '/outcome/expression'],
        [{ expression: 'nodes.a.output == 1' }, '/outcome/expression'],
        [{ expression: 'result', maxTries: 9 }, '/outcome/maxTries'],
        [{ schema: { type: 'nothing' } }, '/outcome/schema'],
        [{ rubric: { agentId: 'nobody', criteria: 'x' } }, '/outcome/rubric/agentId'],
      ];
      for (const [outcome, pointer] of faulty) {
        const { status, body } = await submit(session, outcome, 'x');
        const places = new Set((body['errors'] as { pointer: string }[] | undefined)?.map((fault) => fault.pointer));
        expect([status, [...places], JSON.stringify(outcome)]).toEqual([422, [pointer], JSON.stringify(outcome)]);
      }
      expect((await target().call('GET', `${sessions}/${session}/turns`)).body['items']).toEqual([]);
    });
  });
};
