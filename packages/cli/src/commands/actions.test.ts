import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
let open: object[];
/** Of all sessions, closed or not. */
let known: { readonly session_id: string }[];
const confirmation = {
  request_id: 'act_1aa',
  kind: 'confirmation',
  status: 'open',
  version: 1,
  turn_id: 'turn_1',
  session_id: 'ses_1',
  session_title: 'Clean up',
  created_at: 1,
};
const rm = { ...confirmation, tool_call: { id: 'c', name: 'rm', input: { path: '/x' } } };
const question = {
  ...confirmation,
  request_id: 'act_2bb',
  kind: 'question',
  session_id: 'ses_2',
  questions: [
    { question: 'Colour?', header: 'Colour', multi_select: false, options: ['red', 'blue'].map((label) => ({ label, description: '' })) },
    { question: 'Sizes?', header: 'Sizes', multi_select: true, options: [] },
  ],
};
const execution = { ...rm, request_id: 'act_3cc', kind: 'external_execution', session_id: 'ses_3' };

beforeEach(async () => {
  rig = await createCliRig();
  open = [rm];
  known = [];
  rig.server.on('GET', /\/api\/v1\/required-actions$/, () => ({
    status: 200,
    body: {
      required_actions: Object.fromEntries(open.map((action) => [(action as typeof rm).request_id, action])),
      commands: [],
      next_cursor: null,
      has_more: false,
    },
  }));
  const session = (id: string, at: number) => ({ id, title: 'Clean up', updatedAt: at, createdAt: at, status: 'idle', archived: false });
  rig.server.on('GET', /\/agent-sessions$/, () => ({ status: 200, body: { items: [session('ses_1', 2), session('ses_2', 1)], next_offset: null } }));
  rig.server.on('GET', /\/agent-sessions\/(ses_\d)\/resources\/required_actions/, (_request, _body, match) => ({
    status: 200,
    body: { data: known.filter(({ session_id }) => session_id === match[1]).map((data) => ({ data })), next_cursor: null, has_more: false },
  }));
  rig.route('POST', /\/actions$/, { command: { id: 'cmd_1', status: 'accepted' }, status_url: '/s' }, 202);
});
afterEach(() => rig.stop());

const sent = () =>
  rig.calls.map(({ path, body }) => ({ path: path.replace('/api/v1/agent-sessions/', ''), ...(body as { request_id: string; payload: object }) }));

test('approvals lists all that waits and exits 4; with nothing 0', async () => {
  open = [rm, question];
  const { code, out } = await rig.run(['approvals']);
  expect(code).toBe(4);
  expect(out).toMatch(/^act_1aa {2}confirmation {2}.*Clean up {2}may rm\({"path":"\/x"}\) run\?\nact_2bb {2}question .*asks: Colour\? \(and 1 more\)\n$/);
  expect(JSON.parse((await rig.run(['approvals', '--json'])).out).items).toHaveLength(2);
  open = [];
  expect(await rig.run(['approvals'])).toEqual({ code: 0, out: '', err: 'Nothing waits for you.\n' });
});

test('approve takes a request, its beginning, a session, or the only one; arguments may be edited and the tool remembered', async () => {
  open = [rm, question];
  expect(await rig.run(['approve', 'act_1aa'])).toEqual({ code: 0, out: 'allowed: may rm({"path":"/x"}) run?\n', err: '' });
  const changed = await rig.run(['approve', '1a', '--input', '{"path":"/y"}', '--remember']);
  expect(changed.out).toBe('allowed: may rm({"path":"/y"}) run?\n');
  await rig.run(['approve', 'ses_1']);
  await rig.run(['approve', '@last']);
  open = [rm];
  await rig.run(['approve']);
  expect(sent().map(({ path, request_id }) => `${path} ${request_id}`)).toEqual(Array(5).fill('ses_1/turns/turn_1/actions act_1aa'));
  expect(sent().map(({ payload }) => payload)).toEqual([
    { allow: true },
    { allow: true, input: { path: '/y' }, remember: 'session' },
    { allow: true },
    { allow: true },
    { allow: true },
  ]);
  // The same decision twice is one: its key is made of the action.
  expect(rig.calls[0]?.headers['idempotency-key']).toBe(rig.calls[2]?.headers['idempotency-key']);
});

test('what is of another kind does not stand in the way', async () => {
  open = [rm, question];
  expect((await rig.run(['approve'])).code).toBe(0);
  expect((await rig.run(['answer', '--answer', 'Colour=1', '--answer', 'Sizes=S'])).code).toBe(0);
  expect(sent().map(({ request_id }) => request_id)).toEqual(['act_1aa', 'act_2bb']);
});

test('what is not clear is not answered', async () => {
  open = [rm, { ...rm, request_id: 'act_9zz' }, question];
  for (const args of [
    ['approve'],
    ['approve', 'act_'],
    ['approve', 'act_2bb'],
    ['approve', 'nothing'],
    ['approve', 'act_1aa', '--input', '[1]'],
    ['deny', 'act_8'],
  ])
    expect((await rig.run(args)).code, args.join(' ')).toBe(2);
  expect((await rig.run(['approve'])).err).toMatch(/2 wait for you anywhere; name one:\n {2}act_1aa[\s\S]*\n {2}act_9zz/);
  open = [];
  expect((await rig.run(['approve'])).code).toBe(2);
  expect(sent()).toEqual([]);
});

test('deny says why', async () => {
  expect(await rig.run(['deny', '@last', '--reason', 'too risky', '--json'])).toMatchObject({ code: 0 });
  expect(sent()[0]?.payload).toEqual({ allow: false, reason: 'too risky' });
});

test('answer: by header and number, the result of a tool from standard input, and nothing without all of it', async () => {
  open = [question, execution];
  expect((await rig.run(['answer', 'act_2bb', '--answer', 'Colour=2', '--answer', 'Sizes=S, XL'])).code).toBe(0);
  expect((await rig.run(['answer', 'act_3cc', '--output', '-'], { piped: 'snow\n' })).code).toBe(0);
  expect((await rig.run(['answer', 'act_3cc', '--output', 'no network', '--error'])).code).toBe(0);
  expect(sent().map(({ payload }) => payload)).toEqual([
    { answers: { Colour: 'blue', Sizes: ['S', 'XL'] } },
    { output: 'snow', is_error: false },
    { output: 'no network', is_error: true },
  ]);
  for (const args of [
    ['act_2bb', '--answer', 'Colour=2'],
    ['act_2bb', '--answer', 'Colour=3', '--answer', 'Sizes=S'],
    ['act_2bb', '--answer', 'red'],
    ['act_2bb'],
    ['act_3cc'],
  ])
    expect((await rig.run(['answer', ...args])).code, args.join(' ')).toBe(2);
  expect((await rig.run(['answer', 'act_2bb'])).err).toMatch(/--answer "Colour=…"\n +Colour\?\n +1 {2}red/);
  expect(sent()).toHaveLength(3);
});

test('answer at a terminal asks; an empty line puts it off', async () => {
  open = [question];
  const { stdin, err, end } = rig.start(['answer']);
  await expect.poll(() => err.text).toMatch(/1 {2}red\n[\s\S]*later\): \S*$/);
  stdin.write('blue-ish\r');
  await expect.poll(() => err.text).toMatch(/Sizes\?[\s\S]*later\): \S*$/);
  stdin.write('S,M\r');
  expect(await end).toBe(0);
  expect(sent()[0]?.payload).toEqual({ answers: { Colour: 'blue-ish', Sizes: ['S', 'M'] } });
  const later = rig.start(['answer']);
  await expect.poll(() => later.err.text).toMatch(/later\): \S*$/);
  later.stdin.write('\r');
  expect(await later.end).toBe(4);
  const left = rig.start(['answer']);
  await expect.poll(() => left.err.text).toMatch(/later\): \S*$/);
  left.stdin.write('\u0003');
  expect(await left.end).toBe(130);
  expect(sent()).toHaveLength(1);
});

test('who answered already: the same decision is no fault, another one changes nothing', async () => {
  open = [];
  known = [{ ...rm, status: 'answered', resolved_by: 'user:usr_2' } as typeof rm];
  rig.route('GET', /\/users/, { items: [{ id: 'usr_2', username: 'ada' }], next_offset: null });
  rig.route('GET', /\/api\/auth\/me$/, { user: { id: 'usr_1', username: 'eve' } });
  rig.server.on('POST', /\/actions$/, () => problemAnswer('action_resolved', { resolution: 'answered', resolved_by: 'user:usr_2' }));
  for (const ref of ['act_1aa', '1a', 'ses_1/act_1aa', 'ses_1/1aa'])
    expect(await rig.run(['approve', ref])).toEqual({ code: 0, out: 'already allowed by ada: may rm({"path":"/x"}) run?\n', err: '' });
  const denied = await rig.run(['deny', 'act_1aa']);
  expect(denied).toMatchObject({ code: 1, out: '' });
  expect(denied.err).toMatch(/^Nothing was changed\. act_1aa: already allowed by ada: .*\(action_resolved\)/);
  // Other arguments are another decision.
  expect((await rig.run(['approve', 'act_1aa', '--input', '{"path":"/y"}'])).code).toBe(1);
  // It was open when it was looked up.
  open = [rm];
  expect(await rig.run(['approve', 'act_1aa'])).toMatchObject({ code: 0, out: expect.stringContaining('already allowed by ada') });
  expect((await rig.run(['deny', 'act_1aa', '--json'])).err).toContain('"code":"action_resolved"');
});

test('one’s own answer, sent again, is given again', async () => {
  open = [];
  known = [{ ...rm, status: 'denied', resolved_by: 'user:usr_1' } as typeof rm];
  rig.route('GET', /\/api\/auth\/me$/, { user: { id: 'usr_1', username: 'eve' } });
  expect(await rig.run(['deny', 'act_1aa'])).toMatchObject({ code: 0, out: 'already denied by you: may rm({"path":"/x"}) run?\n' });
});

test('what is open and another’s to answer says so, by its id or by its session', async () => {
  open = [];
  known = [{ ...rm, status: 'open' } as typeof rm];
  for (const args of [
    ['approve', 'act_1aa'],
    ['deny', 'ses_1'],
    ['approve', 'ses_1/act_1aa'],
  ]) {
    const { code, err } = await rig.run(args);
    expect(code, args.join(' ')).toBe(6);
    expect(err).toMatch(/act_1aa waits for an approver[\s\S]*\(approver_required\)/);
  }
  expect((await rig.run(['deny'])).err).toBe('Nothing waits for you.\n');
  expect((await rig.run(['deny', 'act_7'])).err).toMatch(/neither an action that is open \(any more\) nor a session/);
  expect(sent()).toEqual([]);
});

test('a header that is misspelt does not become the answer; --text is taken word for word', async () => {
  const [colour] = question.questions;
  open = [{ ...question, questions: [colour] }];
  const misspelt = await rig.run(['answer', '--answer', 'Color=2']);
  expect(misspelt.code).toBe(2);
  expect(misspelt.err).toMatch(/"Color=2" names no question\. Headers: Colour\. .*--text/);
  expect(sent()).toEqual([]);
  await rig.run(['answer', '--answer', 'Colour=2']);
  await rig.run(['answer', '--answer', '1']);
  await rig.run(['answer', '--answer', 'green']);
  await rig.run(['answer', '--text', 'Color=2']);
  await rig.run(['answer', '--text', '2']);
  expect(sent().map(({ payload }) => payload)).toEqual(['blue', 'red', 'green', 'Color=2', '2'].map((Colour) => ({ answers: { Colour } })));
  open = [question];
  expect((await rig.run(['answer', '--text', 'red'])).code).toBe(2);
});

test('approvals names the commands that answer what waits', async () => {
  const lastLine = async () => (await rig.run(['approvals'])).err;
  expect(await lastLine()).toBe('Answer with: turnkeeper approve | deny <id>\n');
  open = [question];
  expect(await lastLine()).toBe('Answer with: turnkeeper answer <id>\n');
  open = [rm, question];
  expect(await lastLine()).toBe('Answer with: turnkeeper approve | deny | answer <id>\n');
  open = [{ ...confirmation, kind: 'approval', prompt: 'Pay?' }];
  expect(await lastLine()).toBe('Answer with: turnkeeper approve | deny <id>\n');
});

const trip = {
  ...confirmation,
  request_id: 'act_4dd',
  kind: 'form',
  form: {
    title: 'Trip',
    schema: {
      type: 'object',
      required: ['city'],
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', default: 3 },
        class: { type: 'string', enum: ['first', 'second'] },
        sure: { type: 'boolean' },
      },
    },
  },
};

test('answer fills in a form by its fields, declines it, and refuses what no field is', async () => {
  open = [rm, trip];
  expect((await rig.run(['answer', '--value', 'city=Rome', '--value', 'class=2', '--value', 'sure=yes'])).code).toBe(0);
  expect((await rig.run(['answer', 'act_4dd', '--decline'])).code).toBe(0);
  expect(sent()).toMatchObject([
    { payload: { submitted: true, values: { city: 'Rome', days: 3, class: 'second', sure: true } } },
    { payload: { submitted: false } },
  ]);
  const wrong = await rig.run(['answer', 'act_4dd', '--value', 'town=Rome']);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Fields: city, days, class, sure')]);
  expect((await rig.run(['answer', 'act_4dd', '--value', 'days=many'])).err).toContain('is no number');
  expect((await rig.run(['answer', 'act_4dd'])).err).toContain('--value <name=value>');
});

test('answer sends a signal with any JSON; approve and deny decide an approval, with a reason', async () => {
  open = [{ ...confirmation, request_id: 'act_5ee', kind: 'signal', signal_name: 'parcel' }];
  expect((await rig.run(['answer', '--payload', '[1]'])).code).toBe(0);
  expect((await rig.run(['answer', '--payload', 'arrived'])).err).toContain('must be JSON');
  open = [{ ...confirmation, request_id: 'act_6ff', kind: 'approval', prompt: 'Pay?' }];
  expect((await rig.run(['approve', '--reason', 'fine'])).out).toBe('approved: Pay?\n');
  expect((await rig.run(['approve', '--remember'])).err).toContain('is an approval');
  expect((await rig.run(['deny', '--reason', 'no'])).code).toBe(0);
  expect(sent()).toMatchObject([{ payload: [1] }, { decision: 'approved', payload: { reason: 'fine' } }, { decision: 'rejected', payload: { reason: 'no' } }]);
});

test('approvals --answered: who answered what, when and from where, page by page', async () => {
  const answer = (n: number) => ({
    ...{ id: `aud_${n}`, at: 1_700_000_000_000, session_id: 'ses_1', session_title: 'Clean up', turn_id: 'turn_1', request_id: 'act_1', kind: 'confirmation' },
    ...{ tool: 'rm', outcome: 'allowed', remember: n === 1, answered_by: 'user:1', answered_by_name: 'ann', address: n === 1 ? '10.0.0.1' : null },
    credential_id: null,
  });
  const pages = [
    { data: [answer(1)], next_cursor: 'c', has_more: true },
    { data: [answer(2)], next_cursor: null, has_more: false },
  ];
  rig.route('GET', /\/required-actions\/answered$/, () => pages.shift());
  const { code, out } = await rig.run(['approvals', '--answered']);
  expect(code).toBe(0);
  expect(rig.calls.map(({ path }) => path.split('?')[1])).toEqual(['limit=50', 'limit=49&after=c']);
  expect(out).toMatch(
    /^2023-11-14 22:13Z {2}ann {2}allowed for the session {2}rm {2}Clean up {2}10\.0\.0\.1\n2023-11-14 22:13Z {2}ann {2}allowed +rm {2}Clean up/,
  );
});
