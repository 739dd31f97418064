import { wholeTurn } from '@turnkeeper/client/testing/turn-script';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hunksOf, lineDiff } from '../output/line-diff.ts';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

test('a diff is as short as it can be, and its ends are the same', () => {
  const show = (a: string, b: string): string =>
    lineDiff([...a], [...b])
      .map(({ kind, text }) => ({ same: '', removed: '-', added: '+' })[kind] + text)
      .join('');
  expect(show('abcd', 'abcd')).toBe('abcd');
  expect(show('abcd', 'axcd')).toBe('a-b+xcd');
  expect(show('', 'ab')).toBe('+a+b');
  expect(show('abab', 'ab')).toMatch(/^(ab-a-b|-a-bab|a-b-ab)$/);
  expect(hunksOf(lineDiff([...'abcdefgh'], [...'abcdefgx']), 1)).toEqual([
    {
      skipped: 6,
      lines: [
        { kind: 'same', text: 'g' },
        { kind: 'removed', text: 'h' },
        { kind: 'added', text: 'x' },
      ],
    },
  ]);
});

let rig: CliRig;
const session = {
  id: 'ses_1',
  title: 'One',
  status: 'idle',
  archived: false,
  target: { type: 'agent', id: 'agt_1' },
  metadata: { a: 1 },
  createdAt: 1,
  updatedAt: 1,
};
const fork = { ...session, id: 'ses_2', updatedAt: 2, forked_from: { session_id: 'ses_1', checkpoint_id: 'ckpt_1', turn_id: 'turn_1' } };
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/agent-sessions$/, { items: [session, fork], next_offset: null });
  rig.route('GET', /\/agent-sessions\/ses_1$/, session);
  rig.server.append(...wholeTurn('turn_1', 1, 'Where?', ['Oslo.']), ...wholeTurn('turn_2', 2, 'When?', ['Today.']));
  const answer = (text: string) => ({
    data: {
      turn_id: 'turn_9',
      run_id: 'r',
      item_id: 'i9',
      item: { id: 'i9', type: 'message', role: 'assistant', content: [{ type: 'text', text }], status: 'completed' },
    },
  });
  rig.route('GET', /\/ses_2\/snapshot$/, { ...rig.server.view(), items: [answer('Tomorrow.')], turns: [{ data: { turn_id: 'turn_9' } }] });
});
afterEach(() => rig.stop());

test('a fork is compared with what it came from, from where they part', async () => {
  const { code, out } = await rig.run(['diff', 'ses_2']);
  expect(code).toBe(0);
  expect(out).toBe('--- ses_1\n+++ ses_2\n › Where?\n   Oslo.\n-› When?\n-  Today.\n+  Tomorrow.\n');
  expect((await rig.run(['diff', 'ses_2', '--side', '--exit-code'])).code).toBe(1);
  expect((await rig.run(['diff', 'ses_2', '--side'])).out).toMatch(/› Where\? +› Where\?\n[\s\S]*› When\? +│ {3}Tomorrow\.\n/);
  expect(JSON.parse((await rig.run(['diff', 'ses_2', '--json'])).out)).toMatchObject({ a: 'ses_1', b: 'ses_2', differs: true });
});

test('two places of a session; what is not there is a wrong call', async () => {
  expect((await rig.run(['diff', 'ses_1/turn_1', 'ses_1'])).out).toContain('+› When?\n+  Today.\n');
  expect(await rig.run(['diff', 'ses_1', 'ses_1'])).toMatchObject({ code: 0, err: 'What was said is the same.\n' });
  for (const args of [
    ['diff', 'ses_1'],
    ['diff', 'ses_1/turn_7', 'ses_1'],
    ['diff', 'ses_7', 'ses_1'],
  ])
    expect((await rig.run(args)).code, args.join(' ')).toBe(2);
});

test('a session is renamed, and what is noted about it is set member by member', async () => {
  rig.server.on('PATCH', /\/ses_1$/, (_request, body) => {
    rig.calls.push({ method: 'PATCH', path: '', body, headers: {} });
    return { status: 200, body: { ...session, ...(body as object) } };
  });
  expect((await rig.run(['session', 'rename', 'ses_1', 'The offer'])).out).toBe('ses_1 is called The offer\n');
  expect(JSON.parse((await rig.run(['session', 'metadata', 'ses_1', 'b=true', 'c=x=y', '--unset', 'a'])).out)).toEqual({ b: true, c: 'x=y' });
  expect(rig.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([{ title: 'The offer' }, { metadata: { b: true, c: 'x=y' } }]);
  expect(JSON.parse((await rig.run(['session', 'metadata', 'ses_1'])).out)).toEqual({ a: 1 });
  expect((await rig.run(['session', 'metadata', 'ses_1', 'nothing'])).code).toBe(2);
});
