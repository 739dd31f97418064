import { expect, test } from 'vitest';
import { addressOf, placeOf } from '../shell/address.ts';
import { draftPlace, parseTarget, printTarget } from './new-target.ts';

test('what a new session is for stands in the address, and comes back as it was', () => {
  const target = { type: 'workflow', id: 'wf_1:x' } as const;
  expect(parseTarget(printTarget(target))).toEqual(target);
  for (const text of [undefined, '', 'agent', 'agent:', 'user:1']) expect(parseTarget(text)).toBeUndefined();
  const [path = '', search = ''] = addressOf({ kind: 'new', target: printTarget(target) }).split('?');
  expect(placeOf(path, `?${search}`)).toEqual({ kind: 'new', target: 'workflow:wf_1:x' });
});

test('one draft for all agents; a team and a workflow have their own', () => {
  expect([undefined, 'agent:a', 'agent:b', 'team:a', 'workflow:a'].map((text) => draftPlace(parseTarget(text)))).toEqual([
    'new',
    'new',
    'new',
    'new.team:a',
    'new.workflow:a',
  ]);
});
