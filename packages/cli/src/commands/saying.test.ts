/** `--file` and `--input` of `ask`, `steer` and `inject`; what is said of a new session; `inputs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { wholeTurn } from '@turnkeeper/client/testing/turn-script';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const sessions = '/api/v1/agent-sessions';
const block = (n: number) => ({ type: 'file', file_id: `file_${n}` });
const said = (text: string, ...more: object[]) => ({ role: 'user', content: [{ type: 'text', text }, ...more] });
/** The fake server reads bodies as JSON. */
const inFile = (name: string, text = '{"in": "side"}'): void => writeFileSync(join(rig.folder, name), text);
const sent = () => rig.calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path.replace(sessions, ''), body]);
const keys = () => rig.calls.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);

beforeEach(async () => {
  rig = await createCliRig();
  let files = 0;
  const taken = () => {
    rig.server.append(...wholeTurn('turn_1', 1, 'q', ['ok']));
    return { id: 'turn_1', sessionId: 'ses_1', status: 'queued' };
  };
  rig.route('GET', /\/agent-sessions$/, { items: [{ id: 'ses_1', title: '', status: 'running', updatedAt: 1 }], next_offset: null });
  rig.route('POST', /\/agent-sessions$/, (): unknown => ({ id: 'ses_1', turnId: taken().id }), 201);
  rig.route('POST', /\/ses_1\/turns$/, taken, 202);
  rig.route('POST', /\/(steer|inject)$/, { input_id: 'inp_1', turn_id: 'turn_1', status: 'accepted' }, 202);
  rig.route('POST', /\/ses_1\/files$/, () => ({ id: `file_${++files}`, name: `f${files}`, size: 2048 }), 201);
});
afterEach(() => rig.stop());

test('files of a new session are uploaded after it is made and before it is asked; their blocks stand behind the text', async () => {
  inFile('a.json');
  inFile('b.json', '[2]');
  const { code, out, err } = await rig.run(['ask', 'Sum it up', '--agent', 'guide', '--title', 'Q3', '--file', 'a.json', '--file', 'b.json', '--key', 'k']);
  expect([code, out]).toEqual([0, 'ok\n']);
  expect(err).toBe('uploaded f1 (2.0 KiB) as file_1\nuploaded f2 (2.0 KiB) as file_2\n');
  expect(sent()).toEqual([
    ['', { agent: 'guide', title: 'Q3' }],
    ['/ses_1/files', { in: 'side' }],
    ['/ses_1/files', [2]],
    ['/ses_1/turns', { input: [said('Sum it up', block(1), block(2))] }],
  ]);
  // The same call again names the same files, and so says the same.
  expect(keys()).toEqual(['k', 'k file 1', 'k file 2', 'k']);
});

test('where an upload fails the session that was made is named', async () => {
  inFile('a.json');
  rig.server.on('POST', /\/ses_1\/files$/, () => problemAnswer('forbidden'));
  const { code, err } = await rig.run(['ask', 'q', '--agent', 'guide', '--file', 'a.json']);
  expect(code).toBe(6);
  expect(err).toContain('ses_1 was made, and was asked nothing yet. Ask in it with: turnkeeper ask --session ses_1');
  expect(sent()).toEqual([['', { agent: 'guide' }]]);
});

test('ask, steer and inject take files in a session that there is, beside a text or beside messages', async () => {
  inFile('a.json');
  inFile('messages.json', JSON.stringify([said('first'), said('second')]));
  for (const args of [
    ['ask', 'look'],
    ['steer', 'look', '--turn', 'turn_1'],
    ['inject', 'look'],
    ['ask', '--input', '@messages.json', '--on-busy', 'queue'],
  ])
    expect((await rig.run([...args, '--session', 'ses_1', '--file', 'a.json'])).code, args[0]).toBe(0);
  expect(sent().filter(([path]) => path !== '/ses_1/files')).toEqual([
    ['/ses_1/turns', { input: [said('look', block(1))] }],
    ['/ses_1/turns/turn_1/steer', { input: [said('look', block(2))] }],
    ['/ses_1/inputs/inject', { input: [said('look', block(3))] }],
    ['/ses_1/turns', { input: [said('first'), said('second', block(4))], onBusy: 'queue' }],
  ]);
});

test('--input is what is asked, in a new session and in one that there is; nobody waits for standard input', async () => {
  inFile('order.json', '{"order": 1}');
  expect((await rig.run(['ask', '--agent', 'guide', '--input', '@order.json', '--input-schema', '{}'])).code).toBe(0);
  expect((await rig.run(['ask', '--session', 'ses_1', '--input', '{"order": 2}'])).code).toBe(0);
  expect((await rig.run(['inject', '--input', JSON.stringify([said('the house is blue')])])).code).toBe(0);
  expect(sent()).toEqual([
    ['', { agent: 'guide', inputSchema: {}, initialMessage: { input: { order: 1 } } }],
    ['/ses_1/turns', { input: { order: 2 } }],
    ['/ses_1/inputs/inject', { input: [said('the house is blue')] }],
  ]);
});

test('a slip in a file or in the input is told before anything is made or sent', async () => {
  inFile('a.json');
  inFile('large.json', ' '.repeat(16 * 1024 * 1024 + 1));
  inFile('half.json', ' '.repeat(11 * 1024 * 1024));
  const slips: readonly (readonly [readonly string[], string])[] = [
    [['q', '--file', 'missing.pdf'], 'There is no file'],
    [['q', '--file', '.'], 'There is no file'],
    [['q', '--file', 'large.json'], 'a file has at most 16.0 MiB'],
    [['q', '--file', 'half.json', '--file', 'half.json'], 'have at most 20.0 MiB; these have 22.0 MiB'],
    [['q', ...Array.from({ length: 11 }, () => ['--file', 'a.json']).flat()], 'at most 10 files'],
    [['--input', '{"order":'], '--input must be JSON'],
    [['--input', '@missing.json'], 'cannot be read'],
    [['q', '--input', '{}'], 'Give a text or --input, not both.'],
    [['--input', '{"order": 1}', '--file', 'a.json'], '--file goes with a text'],
  ];
  for (const [args, why] of slips)
    for (const command of [['ask', '--agent', 'guide'], ['steer', '--turn', 'turn_1'], ['inject']])
      expect(await rig.run([...command, ...args]), `${command[0]} ${args.join(' ')}`).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect(await rig.run(['ask', '--stdin', '--input', '{}', '--agent', 'guide'], { piped: 'x' })).toMatchObject({ code: 2 });
  for (const command of ['steer', 'inject']) {
    expect(await rig.run([command, '--input', '{"order": 1}'])).toMatchObject({ code: 2, err: expect.stringContaining('list of messages') });
    expect((await rig.run([command])).code).toBe(2);
  }
  expect(sent()).toEqual([]);
});

const told = [
  '--title',
  'Q3',
  '--space',
  'sales',
  '--metadata',
  'customer=4711',
  '--metadata',
  'city=Rome',
  '--timeout-seconds',
  '60',
  '--budget-tokens',
  '5000',
];

test('ask and chat say of the session that they begin what it is called, where it stands, and what its turns may use', async () => {
  expect((await rig.run(['ask', 'q', '--agent', 'guide', ...told])).code).toBe(0);
  expect((await rig.run(['chat', '--agent', 'guide', ...told], { piped: 'q\n' })).code).toBe(0);
  const wanted = { title: 'Q3', space: 'sales', metadata: { customer: 4711, city: 'Rome' }, timeoutSeconds: 60, budget: { maxTokens: 5000 } };
  expect(sent()).toEqual([0, 1].map(() => ['', { agent: 'guide', ...wanted, initialMessage: { message: 'q' } }]));
});

test('beside a session that there is they are refused, with what to call instead; so is what is no number and no key=value', async () => {
  for (let at = 0; at < told.length; at += 2)
    for (const command of [
      ['ask', 'q', '--session', 'ses_1'],
      ['chat', 'ses_1'],
    ])
      expect(await rig.run([...command, ...told.slice(at, at + 2)], { piped: 'q\n' })).toMatchObject({ code: 2, err: expect.stringContaining(told[at] ?? '') });
  expect((await rig.run(['ask', 'q', '--session', 'ses_1', '--title', 'x'])).err).toContain('turnkeeper session rename ses_1');
  for (const wrong of [
    ['--metadata', 'customer'],
    ['--timeout-seconds', '1.5'],
    ['--budget-tokens', '0'],
  ])
    expect((await rig.run(['ask', 'q', '--agent', 'guide', ...wrong])).code, wrong.join(' ')).toBe(2);
  expect(sent()).toEqual([]);
});

test('inputs lists steers and injects of every page, with what became of them', async () => {
  const input = { kind: 'steer', turn_id: 'turn_1', created_at: 0, input: [said('be\nbrief', block(1))] };
  const pages = [
    { data: [{ id: 'x', data: { ...input, input_id: 'inp_1', status: 'applied' } }], next_cursor: 'c1', has_more: true },
    {
      data: [
        { id: 'y', data: { ...input, input_id: 'inp_2', status: 'rejected', reason: 'turn_ended' } },
        { id: 'z', data: { ...input, turn_id: undefined, input_id: 'inp_3', kind: 'inject', status: 'accepted' } },
      ],
      next_cursor: null,
      has_more: false,
    },
  ];
  rig.server.on('GET', /\/ses_1\/inputs$/, ({ url }) => ({ status: 200, body: url?.endsWith('after=c1') ? pages[1] : pages[0] }));
  const { code, out } = await rig.run(['inputs', 'ses_1']);
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^inp_1 {2}steer +applied +turn_1 {2}1970.* be brief \[file\]$/),
    expect.stringMatching(/^inp_2 {2}steer +rejected \(turn_ended\) {2}turn_1 /),
    expect.stringMatching(/^inp_3 {2}inject {2}accepted {3,}1970/),
  ]);
  expect(JSON.parse((await rig.run(['inputs', '--json'])).out).items.map(({ input_id }: { input_id: string }) => input_id)).toEqual([
    'inp_1',
    'inp_2',
    'inp_3',
  ]);
});
