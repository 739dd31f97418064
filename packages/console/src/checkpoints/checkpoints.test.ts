import { expect, test } from 'vitest';
import { diffOf, wordDiff } from './diff.ts';
import { parseRef, pathTo } from './lineage.ts';
import { namesIn, withName } from './names.ts';

const checkpoint = (checkpoint_id: string, turn_id: string | null, reason = 'turn.completed') => ({ checkpoint_id, turn_id, reason, created_at: 0 });
const equal = (a: string, b: string): boolean => a === b;

test('what a restore left behind is no part of the context; what it went on from is', () => {
  const list = [
    checkpoint('c6', 'turn_4'),
    checkpoint('c5', 'turn_1', 'session.restored'),
    checkpoint('c4', 'turn_3'),
    checkpoint('c3', 'turn_2'),
    checkpoint('c2', 'turn_2', 'context.compacted'),
    checkpoint('c1', 'turn_1'),
    checkpoint('c0', null, 'session.context_initialized'),
  ];
  const turns = (at?: string) => pathTo(list, at)?.turns;
  expect(turns()).toEqual(['turn_1', 'turn_4']);
  expect(turns('c4')).toEqual(['turn_1', 'turn_2', 'turn_3']);
  expect(turns('turn_2')).toEqual(['turn_1', 'turn_2']);
  expect(turns('c0')).toEqual([]);
  expect(turns('c9')).toBeUndefined();
});

test('two sides of a comparison stand in the address', () => {
  expect(['ckpt_1', 'ses_2', 'ses_2@turn_1'].map((text) => parseRef(text, 'ses_1'))).toEqual([
    { sessionId: 'ses_1', at: 'ckpt_1' },
    { sessionId: 'ses_2', at: undefined },
    { sessionId: 'ses_2', at: 'turn_1' },
  ]);
  expect(parseRef(undefined, 'ses_1')).toBeUndefined();
});

test('what both begin with is counted, what follows is lined up (DI1)', () => {
  const { prefix, rows } = diffOf(['a', 'b', 'c', 'x', 'd'], ['a', 'b', 'c2', 'd', 'e'], equal, (a, b) => a[0] === b[0]);
  expect(prefix).toBe(2);
  expect(rows).toEqual([
    { kind: 'changed', left: 'c', right: 'c2' },
    { kind: 'left', left: 'x' },
    { kind: 'same', left: 'd', right: 'd' },
    { kind: 'right', right: 'e' },
  ]);
  expect(diffOf(['a'], ['a'], equal)).toEqual({ prefix: 1, rows: [] });
  expect(diffOf([], ['a'], equal).rows).toEqual([{ kind: 'right', right: 'a' }]);
});

test('any two lists come out whole on their sides', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 200; round += 1) {
    const [left, right] = [0, 1].map(() => Array.from({ length: random(9) }, () => String(random(4)))) as [string[], string[]];
    const { prefix, rows } = diffOf(left, right, equal, (a, b) => a < b);
    expect([...left.slice(0, prefix), ...rows.flatMap((row) => ('left' in row ? [row.left] : []))]).toEqual(left);
    expect([...right.slice(0, prefix), ...rows.flatMap((row) => ('right' in row ? [row.right] : []))]).toEqual(right);
    expect(rows.every((row) => row.kind !== 'same' || row.left === row.right)).toBe(true);
  }
});

test('the words that differ are marked, in any script', () => {
  const { left, right } = wordDiff('the red house', 'the blue house');
  expect(left).toEqual([
    { text: 'the ', changed: false },
    { text: 'red', changed: true },
    { text: ' house', changed: false },
  ]);
  expect(right.filter(({ changed }) => changed)).toEqual([{ text: 'blue', changed: true }]);
  expect(wordDiff('in the autumn.', 'in the autumn, I think.').left).toEqual([{ text: 'in the autumn.', changed: false }]);
  expect(wordDiff('红色的房子', '蓝色的房子').left).toEqual([
    { text: '红', changed: true },
    { text: '色的房子', changed: false },
  ]);
});

test('names live in the metadata, beside what else is there', () => {
  const named = withName({ order: 7 }, 'ckpt_1', ' before the deploy ');
  expect(named).toEqual({ order: 7, checkpoint_names: { ckpt_1: 'before the deploy' } });
  expect(namesIn(named)).toEqual({ ckpt_1: 'before the deploy' });
  expect(withName(named, 'ckpt_1', '')).toEqual({ order: 7 });
  expect(namesIn({ checkpoint_names: 'nonsense' })).toEqual({});
});
