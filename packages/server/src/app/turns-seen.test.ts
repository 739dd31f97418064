import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { TurnStatus } from '@turnkeeper/core/session/events';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { noUsage } from '@turnkeeper/core/view/usage';
import { expect, test } from 'vitest';
import { TurnsSeen } from './turns-seen.ts';

const now = 1_000_000;
const session = (id: string, status: SessionResource['status'] = 'idle', updatedAt = 1_000) => ({ id, status, updatedAt }) as SessionResource;
const turn = (root: string, status: TurnStatus = 'completed', path = '') => ({
  id: `${root}${path}` as SessionId,
  root: root as SessionId,
  path,
  body: JSON.stringify({
    turn_id: `turn of ${root}${path}`,
    status,
    preview: '',
    created_at: 1,
    usage: noUsage,
    ...(status === 'completed' ? { ended_at: 2 } : {}),
  }),
});

/** A store of these turns that tells which roots were read. */
const seenFrom = (turns: ReturnType<typeof turn>[]) => {
  const reads: string[][] = [];
  const seen = new TurnsSeen({
    newest: async ({ roots }) => {
      reads.push([...roots]);
      return turns.filter(({ root }) => roots.includes(root));
    },
  });
  return { seen, reads };
};
const idsOf = (seen: ReadonlyMap<string, { readonly turns: readonly { readonly turn_id: string }[] }>) =>
  [...seen.values()].flatMap(({ turns }) => turns.map(({ turn_id }) => turn_id));

test('a session that rests is read once, until it moves', async () => {
  const turns = [turn('a'), turn('b')];
  const { seen, reads } = seenFrom(turns);
  const asked = [session('a'), session('b')];
  expect(idsOf(await seen.of(asked, now))).toEqual(['turn of a', 'turn of b']);
  expect(idsOf(await seen.of(asked, now))).toEqual(['turn of a', 'turn of b']);
  expect(reads).toEqual([['a', 'b']]);
  turns.push({ ...turn('a'), body: turn('a').body.replace('turn of a', 'another') });
  expect(idsOf(await seen.of([session('a', 'idle', 2_000), session('b')], now))).toEqual(['turn of a', 'another', 'turn of b']);
  expect(reads).toEqual([['a', 'b'], ['a']]);
});

test.each([
  ['runs', session('a', 'running'), []],
  ['waits', session('a', 'requires_action'), []],
  ['moved just now', session('a', 'idle', now - 1), []],
  ['rests with a turn in its queue', session('a'), [turn('a', 'queued')]],
  ['rests while something below it runs', session('a'), [turn('a', 'running', '/x')]],
])('a session that %s is read each time', async (_, asked, more) => {
  const { seen, reads } = seenFrom([turn('a'), ...more]);
  await seen.of([asked], now);
  await seen.of([asked], now);
  expect(reads).toEqual([['a'], ['a']]);
});

test('no more than so many turns are kept: those asked for longest ago are read again', async () => {
  const names = Array.from({ length: 301 }, (_, n) => `s${n}`);
  const { seen, reads } = seenFrom(names.flatMap((name) => Array.from({ length: 70 }, () => turn(name))));
  for (const name of names) await seen.of([session(name)], now);
  reads.length = 0;
  await seen.of([session('s300')], now);
  await seen.of([session('s0')], now);
  expect(reads).toEqual([['s0']]);
});

test('a hundred turns of one session may not be all', async () => {
  const { seen } = seenFrom([...Array.from({ length: 100 }, () => turn('a')), turn('b')]);
  const found = await seen.of([session('a'), session('b')], now);
  expect([found.get('a')?.complete, found.get('b')?.complete]).toEqual([false, true]);
});
