import { expect, test } from 'vitest';
import { targetCan } from './target-can.ts';

const offered = (type: 'agent' | 'team' | 'workflow') => {
  const can = targetCan({ target: { type, id: 'x' } });
  return Object.entries(can).flatMap(([name, offers]) => (offers ? [name] : []));
};

test('the pages offer what the server does not refuse, of each kind of target', () => {
  expect(offered('agent')).toEqual(['steer', 'fork', 'files']);
  expect(offered('team')).toEqual(['files', 'json']);
  expect(offered('workflow')).toEqual(['json', 'pause']);
  expect(Object.values(targetCan({ target: { type: 'agent', id: 'x' }, imported: true }))).not.toContain(true);
  expect(targetCan(undefined).steer).toBe(true);
});
