import { expect, test } from 'vitest';
import { mostDismissed, parseDismissed, sortOut, withDismissed } from './dismissed.ts';

test('what was put away stays away, once each and only so many; what is kept wrongly is as if nothing were', () => {
  const turns = ['a', 'b', 'c'].map((turn_id) => ({ turn_id }));
  expect(sortOut(turns, withDismissed(['c'], 'a'))).toEqual({ open: [{ turn_id: 'b' }], dismissed: [{ turn_id: 'a' }, { turn_id: 'c' }] });
  expect(withDismissed(['b', 'a'], 'a')).toEqual(['a', 'b']);
  const many = Array.from({ length: mostDismissed + 10 }, (_, n) => `turn_${n}`).reduce<readonly string[]>(withDismissed, []);
  expect([many.length, many[0], parseDismissed(JSON.stringify(many))]).toEqual([mostDismissed, `turn_${mostDismissed + 9}`, many]);
  for (const text of [undefined, '', '{', '{"a":1}', '[1,null]']) expect(parseDismissed(text)).toEqual([]);
});
