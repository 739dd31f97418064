import { expect, test } from 'vitest';
import { usualFilters } from '../sessions/filters.ts';
import { type Place, pageAt } from '../shell/address.ts';
import { copyForms, idShown } from './copy-forms.ts';

const access = { origin: 'http://127.0.0.1:4747', token: 'tok' };
const forms = (place: Place, isAdmin = false) => Object.fromEntries(Object.entries(copyForms(place, isAdmin, 0)).map(([form, make]) => [form, make(access)]));

/** Without server and token: the path, the command, the call, the id. */
const ways = (place: Place, isAdmin = true) => {
  const { curl = '', cli = '', typescript = '' } = forms(place, isAdmin);
  const path = /'http:\/\/127\.0\.0\.1:4747(\/api[^']*)'/.exec(curl)?.[1];
  return [path, /npx turnkeeper (.*)$/.exec(cli)?.[1], /await (client\..*)\);/.exec(typescript)?.[1], idShown(place)];
};

test('a session by three other ways, with server and token', () => {
  const { curl, cli, typescript } = forms({ kind: 'session', id: 'ses_1' });
  expect(curl).toContain("'http://127.0.0.1:4747/api/v1/agent-sessions/ses_1/snapshot'");
  expect(curl).toContain('Bearer tok');
  expect(cli).toMatch(/TURNKEEPER_TOKEN='tok' npx turnkeeper chat ses_1$/);
  expect(typescript).toContain('createClient({ baseUrl: "http://127.0.0.1:4747", token: "tok" })');
  expect(typescript).toContain('await client.sessions.snapshot("ses_1")');
});

test('a list is copied as it is filtered; what the terminal cannot narrow is no command', () => {
  const list = (filters: object): Place => ({ kind: 'sessions', filters: { ...usualFilters, ...filters } });
  const { curl, cli, typescript } = forms(list({ q: 'tea & cake', status: 'all', owner: 'all' }));
  expect(curl).toContain('/agent-sessions?status=all&order=updated&q=tea+%26+cake');
  expect(cli).toMatch(/ls --status all --query 'tea & cake'$/);
  expect(typescript).toContain('client.sessions.list({"status":"all","order":"updated","q":"tea & cake"})');
  expect(forms(list({ activity: 'requires_action', status: 'all', target: 'agent_1' }))['cli']).toMatch(
    /ls --status waiting --all --owner 'me' --agent 'agent_1'$/,
  );
  for (const filters of [{ target: 'team_1' }, { place: 'container:notes/chats' }, { cost: '1' }]) {
    expect(Object.keys(forms(list(filters)))).toEqual(['curl', 'typescript']);
  }
});

test('what is opened on a page comes before the page, with its id', () => {
  const v1 = '/api/v1';
  const turn = pageAt('turn', { session: 'ses_1', turn: 'turn_1' });
  const all: readonly (readonly [Place, ...(string | undefined)[]])[] = [
    [turn, `${v1}/agent-sessions/ses_1/turns/turn_1`, 'show ses_1', 'client.turns.get("ses_1", "turn_1")', 'turn_1'],
    [
      { kind: 'session', id: 'ses_1', query: { child: 'ses_2' } },
      `${v1}/agent-sessions/ses_1/subagents/ses_2/snapshot`,
      'children ses_1',
      'client.subagents.snapshot("ses_1", "ses_2")',
      'ses_2',
    ],
    [
      pageAt('checkpoints', { session: 'ses_1' }),
      `${v1}/agent-sessions/ses_1/checkpoints`,
      'checkpoints ses_1',
      'client.context.checkpoints("ses_1")',
      'ses_1',
    ],
    [pageAt('minitools'), `${v1}/minitools`, 'minitool list', 'client.minitools.list()', undefined],
    [pageAt('minitools', { id: 'notes' }), `${v1}/minitools/notes`, 'minitool show notes', 'client.minitools.get("notes")', 'notes'],
    [pageAt('minitools', { id: 'notes', tab: 'log' }), `${v1}/minitools/notes/logs`, 'minitool logs notes', 'client.minitools.logs("notes")', 'notes'],
    [pageAt('targets'), `${v1}/agents`, 'agents ls', 'client.agents.list()', undefined],
    [pageAt('targets', { tab: 'agents', id: 'agent_1' }), `${v1}/agents/agent_1`, 'agents show agent_1', 'client.agents.get("agent_1")', 'agent_1'],
    [pageAt('targets', { id: 'agent_1', version: '2' }), `${v1}/agents/agent_1/versions/2`, undefined, 'client.agents.version("agent_1", 2)', 'agent_1'],
    [pageAt('targets', { tab: 'teams' }), `${v1}/teams`, 'team ls', 'client.teams.list()', undefined],
    [pageAt('targets', { tab: 'teams', id: 'team_1' }), `${v1}/teams/team_1`, 'team show team_1', 'client.teams.get("team_1")', 'team_1'],
    [pageAt('targets', { tab: 'workflows', id: 'wf_1' }), `${v1}/workflows/wf_1`, 'workflow show wf_1', 'client.workflows.get("wf_1")', 'wf_1'],
    [
      pageAt('targets', { tab: 'workflows', id: 'wf_1', revision: '3' }),
      `${v1}/workflows/wf_1/revisions/3`,
      'workflow revisions wf_1',
      'client.workflows.revision("wf_1", "3")',
      'wf_1',
    ],
    [{ kind: 'new', target: 'team:team_1' }, `${v1}/teams/team_1`, 'team show team_1', 'client.teams.get("team_1")', 'team_1'],
    [pageAt('deliveries'), `${v1}/webhooks`, undefined, 'client.webhooks.all()', undefined],
    [pageAt('deliveries', { webhook: 'wh_1' }), `${v1}/webhooks`, undefined, 'client.webhooks.all()', 'wh_1'],
    [
      pageAt('deliveries', { session: 'ses_1' }),
      `${v1}/agent-sessions/ses_1/webhooks`,
      'webhooks ls --session ses_1',
      'client.webhooks.list({"sessionId":"ses_1"})',
      undefined,
    ],
    [
      pageAt('deliveries', { webhook: 'wh_1', session: 'ses_1', turn: 'turn_1' }),
      `${v1}/agent-sessions/ses_1/turns/turn_1/webhooks/wh_1/deliveries`,
      'webhooks deliveries wh_1 --session ses_1 --turn turn_1',
      'client.webhooks.deliveries({"sessionId":"ses_1","turnId":"turn_1"}, "wh_1")',
      'wh_1',
    ],
    [
      pageAt('deliveries', { webhook: 'wh_1', application: 'app_1' }),
      `${v1}/applications/app_1/webhooks/wh_1/deliveries`,
      'webhooks deliveries wh_1 --app app_1',
      'client.webhooks.deliveries({"applicationId":"app_1"}, "wh_1")',
      'wh_1',
    ],
    [pageAt('settings'), '/api/auth/me', 'whoami', 'client.account.me()', undefined],
    [pageAt('settings', { tab: 'users' }), `${v1}/users`, 'users ls', 'client.users.list()', undefined],
    [
      pageAt('settings', { tab: 'applications', application: 'app_1' }),
      `${v1}/applications/app_1`,
      'apps show app_1',
      'client.applications.get("app_1")',
      'app_1',
    ],
    [pageAt('settings', { tab: 'spaces', space: 'sales' }), `${v1}/spaces/sales/members`, 'spaces members sales', 'client.spaces.members("sales")', 'sales'],
    [pageAt('settings', { tab: 'audit', actor: 'ann' }), `${v1}/audit?actor=ann`, "audit --actor 'ann'", 'client.audit.page({"actor":"ann"})', undefined],
    [{ kind: 'approvals', history: true }, `${v1}/required-actions/answered`, 'approvals --answered', 'client.actions.answered()', undefined],
  ];
  for (const [place, ...wanted] of all) expect(ways(place)).toEqual(wanted);
  // What only admins see is nobody else's to copy.
  expect(ways(pageAt('settings', { tab: 'audit' }), false)[0]).toBe('/api/auth/me');
});

test('usage is copied for the days that are looked at', () => {
  const [path = '', cli = '', call = ''] = ways(pageAt('usage', { period: '7', by: 'key' }));
  const from = Number(new URL(path, 'http://localhost').searchParams.get('from'));
  expect(path).toContain('group_by=key');
  expect(cli).toBe(`usage --by key --since ${new Date(from).toISOString()}`);
  expect(call).toContain(`client.usage.report({"from":${from},`);
});

test('what an address holds is one word for a shell, whatever it is', () => {
  expect(forms({ kind: 'session', id: '$(reboot)' })['cli']).toMatch(/chat '\$\(reboot\)'$/);
  expect(forms(pageAt('minitools', { id: "a';b" }))['cli']).toContain(`'a'\\'';b'`);
});

test('what has no other way has none', () => {
  expect(forms({ kind: 'new' })).toEqual({});
  expect(idShown(pageAt('usage'))).toBeUndefined();
});
