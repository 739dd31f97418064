import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { expect, test } from 'vitest';
import { type EndedStep, OpenSteps } from './open-steps.ts';
import { stepSpanId } from './trace-ids.ts';

const part = (step: number, run = 1, turn = 'turn_1') => ({ sessionId: 'ses_1' as SessionId, turnId: turn as TurnId, run, step });
const setUp = (most?: number) => {
  const written: EndedStep[] = [];
  return { steps: new OpenSteps((step) => written.push(step), most), written };
};

test('TT4 a step lasts from its first part to the end of its last, in whatever order they end', () => {
  const { steps, written } = setUp();
  steps.began(part(1), 10);
  steps.ended(part(1), 20);
  steps.began(part(1), 21);
  steps.began(part(1), 22);
  steps.ended(part(1), 40);
  steps.ended(part(1), 30);
  steps.began(part(2), 50);
  steps.ended(part(1), 99);
  steps.ended(part(2), 60);
  expect(written).toEqual([{ ...part(1), from: 10, to: 40 }]);
  steps.close('turn_1' as TurnId);
  steps.close('turn_1' as TurnId);
  expect(written).toEqual([
    { ...part(1), from: 10, to: 40 },
    { ...part(2), from: 50, to: 60 },
  ]);
  expect(steps.size).toBe(0);
});

test('TT4 the steps of a further try are others, though they are counted anew', () => {
  const { steps, written } = setUp();
  const again = { ...part(1), tries: 1 };
  steps.began(part(1), 10);
  steps.ended(part(1), 20);
  steps.began(again, 30);
  steps.ended(again, 40);
  steps.close('turn_1' as TurnId);
  expect(written).toEqual([
    { ...part(1), from: 10, to: 20 },
    { ...again, from: 30, to: 40 },
  ]);
  expect(stepSpanId(again)).not.toBe(stepSpanId(part(1)));
});

test('TT4 a step that goes on in the next run has a span there, and runs that ended elsewhere are forgotten', () => {
  const { steps, written } = setUp(2);
  steps.began(part(1, 1), 10);
  steps.began(part(1, 2), 20);
  expect(written.map(({ run }) => run)).toEqual([1]);
  for (const turn of ['a', 'b', 'c']) steps.began(part(1, 1, turn), 30);
  expect(steps.size).toBe(2);
});
