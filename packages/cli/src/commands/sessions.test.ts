import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const session = (n: number, status: string) => ({
  id: `ses_${n}`,
  title: `Number ${n}`,
  status,
  archived: false,
  owner: { type: 'user', id: 'usr_1' },
  createdAt: n,
  updatedAt: n,
});
beforeEach(async () => {
  rig = await createCliRig();
});
afterEach(() => rig.stop());
const listed = (...items: object[]): void => rig.route('GET', /\/agent-sessions$/, { items, next_offset: null });

test('ls passes its filters on', async () => {
  listed(session(2, 'requires_action'));
  rig.route('GET', /\/agents\/helper$/, { agent: { id: 'agent_1' } });
  await rig.run(['ls', '--owner', 'all', '--space', 'lab', '-q', 'in é', '--status', 'archived', '--limit', '5']);
  expect(rig.calls[0]?.path).toBe('/api/v1/agent-sessions?status=archived&owner=all&space=lab&q=in+%C3%A9&offset=0&limit=5');
  expect((await rig.run(['ls', '--waiting'])).out).toMatch(/^ses_2 {2}waiting[^\n]*\n$/);
  expect((await rig.run(['ls', '--status', 'running', '--json'])).out).toContain('"id":"ses_2"');
  expect((await rig.run(['ls', '--owner', 'me'])).out).toContain('user:usr_1');
  await rig.run(['ls', '-t', '天 气', '--metadata', 'a=b=c', '--metadata', 'n=4', '--sort', 'updated', '--since', '2030-01-01', '--agent', 'helper']);
  expect(rig.calls.map(({ path }) => path).slice(1)).toEqual([
    '/api/v1/agent-sessions?status=active&activity=requires_action&offset=0&limit=20',
    '/api/v1/agent-sessions?status=active&activity=running&offset=0&limit=20',
    '/api/v1/agent-sessions?status=active&owner=me&offset=0&limit=20',
    '/api/v1/agents/helper',
    `/api/v1/agent-sessions?status=active&target=agent_1&updated_from=${Date.UTC(2030, 0, 1)}&order=updated&text=%E5%A4%A9+%E6%B0%94&offset=0&limit=20&metadata.a=b%3Dc&metadata.n=4`,
  ]);
  for (const wrong of [
    ['--status', 'sleeping'],
    ['--metadata', 'a'],
    ['--metadata', '=b'],
    ['--since', 'soon'],
    ['--sort', 'title'],
  ])
    expect([wrong, (await rig.run(['ls', ...wrong])).code]).toEqual([wrong, 2]);
});

test('ls --text reads on until it has found enough, and says how far it came', async () => {
  const pages: object[] = [
    { items: [], next_offset: 100, searched_until: 9 },
    { items: [session(2, 'idle')], next_offset: 200, searched_until: 8 },
    { items: [session(3, 'idle')], next_offset: 300, searched_until: 7 },
  ];
  rig.route('GET', /\/agent-sessions$/, () => pages.shift() ?? { items: [], next_offset: 400, searched_until: 60_000 });
  const { out, err } = await rig.run(['ls', '--text', 'x', '--limit', '1']);
  expect(out).toContain('ses_2');
  expect(err).toContain('--limit 2');
  expect(pages).toHaveLength(1);
  const further = await rig.run(['ls', '--text', 'x', '--limit', '2']);
  expect(further.out).toContain('ses_3');
  expect(further.err).toContain('older than 1970-01-01 00:01Z was not looked through');
  expect(rig.calls.length).toBeLessThan(30);
});

test('archive and restore', async () => {
  listed(session(1, 'idle'));
  rig.route('POST', /\/ses_1\/(archive|restore)$/, session(1, 'idle'));
  expect((await rig.run(['archive', '@last'])).out).toBe('archived ses_1 (Number 1)\n');
  expect((await rig.run(['restore', '1'])).out).toBe('restored ses_1 (Number 1)\n');
  expect((await rig.run(['archive'])).code).toBe(2);
  expect(rig.calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/api/v1/agent-sessions/ses_1/archive',
    '/api/v1/agent-sessions/ses_1/restore',
  ]);
});

test('rm asks first; without a terminal it wants --yes', async () => {
  listed(session(1, 'idle'));
  rig.route('DELETE', /\/ses_1$/, undefined, 204);
  const deletions = () => rig.calls.filter(({ method }) => method === 'DELETE').length;
  expect((await rig.run(['rm', 'ses_1'], { piped: 'y\n' })).code).toBe(2);
  for (const [typed, code] of [
    ['\r', 1],
    ['nope\r', 1],
  ] as const) {
    const { stdin, err, end } = rig.start(['rm', 'ses_1']);
    await expect.poll(() => err.text).toMatch(/\[y\/N\] \S*$/);
    stdin.write(typed);
    expect(await end).toBe(code);
  }
  expect(deletions()).toBe(0);
  const { stdin, err, end } = rig.start(['rm', 'ses_1']);
  await expect.poll(() => err.text).toMatch(/Delete ses_1 \(Number 1\) for good[\s\S]*\[y\/N\] \S*$/);
  stdin.write('y\r');
  expect(await end).toBe(0);
  expect((await rig.run(['rm', 'ses_1', '--yes'])).out).toBe('deleted ses_1\n');
  expect(deletions()).toBe(2);
});

test('resume takes the last turn that stopped', async () => {
  listed(session(1, 'idle'));
  const turn = (n: number, status: string) => ({ data: { turn_id: `turn_${n}`, status } });
  rig.route('GET', /\/ses_1\/snapshot$/, { turns: [turn(1, 'failed'), turn(2, 'interrupted'), turn(3, 'queued')] });
  rig.route('POST', /\/turn_\d\/resume$/, { command: { id: 'cmd_1' } }, 202);
  expect((await rig.run(['resume', 'ses_1'])).out).toContain('turn_2 goes on');
  rig.route('GET', /\/ses_1\/snapshot$/, { turns: [turn(1, 'completed')] });
  expect(await rig.run(['resume', 'ses_1'])).toMatchObject({ code: 0, out: '' });
});
