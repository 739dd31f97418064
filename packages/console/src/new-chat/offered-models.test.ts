import { expect, test } from 'vitest';
import { offeredModels } from './offered-models.ts';

const listed = ['demo:welcome', 'demo:echo', 'local:large'].map((name) => ({ name, provider: name.slice(0, name.indexOf(':')) }));

test('an admin is offered all that there are, everybody else what the agent allows; never what would be refused', () => {
  const own = { model: 'demo:welcome' };
  expect(offeredModels(listed, own, true)).toEqual(['demo:echo', 'local:large']);
  expect(offeredModels(listed, own, false)).toEqual([]);
  expect(offeredModels(listed, { ...own, models: ['*'] }, false)).toEqual(['demo:echo', 'local:large']);
  expect(offeredModels(listed, { ...own, models: ['local:small', 'demo:welcome', 'openai:gpt'] }, false)).toEqual(['local:small']);
  expect(offeredModels(listed, { ...own, models: ['local:small', '*'] }, true)).toEqual(['local:small', 'demo:echo', 'local:large']);
  expect(offeredModels(listed, undefined, true)).toEqual([]);
});
