/** Steps in the view: how long one took, its attempts and the pauses between them. */
import { expect, it } from 'vitest';
import type { EventData } from '../session/events.ts';
import { type StepBody, stepChanged, stepTook } from './step.ts';

const said = (status: StepBody['status'], attempt: number, more: object = {}): EventData<'step.updated'> =>
  ({ turn_id: 'turn_1', step_id: 's', key: 'a', type: 'agent', status, attempt, ...more }) as EventData<'step.updated'>;

const after = (...events: readonly (readonly [at: number, data: EventData<'step.updated'>])[]): StepBody | undefined =>
  events.reduce<StepBody | undefined>((body, [at, data]) => stepChanged(body, data, at), undefined);

it('does not count the pauses before further attempts as time that it took', () => {
  const begun = [
    [1_000, said('running', 1)],
    [1_500, said('failed', 1)],
    [1_500, said('delayed', 1, { until: 61_500 })],
  ] as const;
  expect(after(...begun)).toMatchObject({ status: 'delayed', until: 61_500, delayed_at: 1_500 });
  expect(stepTook(after(...begun) as StepBody)).toBeUndefined();
  // It was begun a little later than it might have been.
  const again = [...begun, [61_600, said('running', 2)], [62_000, said('failed', 2)], [62_000, said('delayed', 2, { until: 62_100 })]] as const;
  expect(after(...again)).toMatchObject({ delayed_at: 62_000, delayed_ms: 60_100 });
  const over = after(...again, [62_100, said('running', 3)], [62_600, said('succeeded', 3, { output: 1 })], [63_000, said('succeeded', 3, { taken: [0] })]);
  expect(over).toMatchObject({ started_at: 1_000, ended_at: 62_600, delayed_ms: 60_200, attempt: 3 });
  expect(over).not.toHaveProperty('delayed_at');
  expect(over && stepTook(over)).toBe(500 + 400 + 500);
  expect(after([0, said('running', 1)], [5, said('succeeded', 1)])).not.toHaveProperty('delayed_ms');
});
