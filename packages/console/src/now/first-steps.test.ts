import { expect, test } from 'vitest';
import { type Facts, stepsOf } from './first-steps.ts';

const fresh: Facts = { providers: ['demo'], tokens: ['browser', 'copied command'], applications: 0, enabledMinitools: 0, hasPassword: false };
const done = (facts: Partial<Facts>): string[] => stepsOf({ ...fresh, ...facts }).flatMap((step) => (step.done ? [step.id] : []));

test('nothing is ticked on a fresh installation, and each step by what it made', () => {
  expect(done({})).toEqual([]);
  expect(done({ providers: ['demo', 'openai'] })).toEqual(['model']);
  expect(done({ tokens: ['browser', 'my program'] })).toEqual(['key']);
  expect(done({ applications: 1 })).toEqual(['key']);
  expect(done({ enabledMinitools: 1, hasPassword: true })).toEqual(['minitool', 'password']);
});
