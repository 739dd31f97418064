/** A session with one of each: turns, a child, a file, an artifact, webhooks, a schedule, a checkpoint, a command. */
import type { Credential } from './people.ts';
import type { Ids } from './routes.ts';
import { type Answer, eventually, freshKey, sessions, type Target } from './target.ts';

/** The agent of such sessions: it delegates to a helper, and both have a tool of the application. */
export const newLeader = async ({ call }: Target): Promise<string> => {
  const lookup = { type: 'function', name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } };
  const agent = async (definition: Record<string, unknown>): Promise<string> => {
    const agentKey = `furnished-${crypto.randomUUID().slice(0, 8)}`;
    const body = { agentKey, displayName: 'Script', definition: { system: 'Script.', model: 'demo:script', ...definition } };
    return String(((await call('POST', '/api/v1/agents', { body })).body['agent'] as { id?: unknown }).id);
  };
  const files = ['write_file', 'publish_artifact'].map((name) => ({ type: 'builtin', name, permission: 'always_allow' }));
  const helper = await agent({ tools: [lookup] });
  return agent({ tools: [lookup, ...files], subagents: [{ agentId: helper, name: 'helper', description: 'Helps.' }] });
};

/** The last turn of it waits: for what its helper asks, and for what it asks itself. */
const script = JSON.stringify({
  steps: [
    [{ tool: { name: 'write_file', input: { path: 'report.txt', content: 'all' } } }],
    [{ tool: { name: 'publish_artifact', input: { path: 'report.txt' } } }],
    [
      { tool: { name: 'delegate', input: { name: 'helper', message: JSON.stringify({ steps: [[{ tool: { name: 'lookup' } }]] }) } } },
      { tool: { name: 'lookup' } },
    ],
  ],
});

type Open = Readonly<Record<string, { readonly child_session_id?: string }>>;

export const furnishedSession = async (target: Target, by: Credential, leader: string): Promise<Ids> => {
  const { call } = target;
  const ask = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer['body']> => {
    const key = method === 'POST' ? { key: freshKey() } : {};
    const answer = await call(method, path, { ...(body === undefined ? {} : { body }), ...key, ...by, headers: { ...headers, ...by.headers } });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const first = (body: Answer['body'], list: string): Record<string, unknown> => (body[list] as readonly Record<string, unknown>[])[0] ?? {};
  const session = String((await ask('POST', sessions, { agent: leader }))['id']);
  const at = `${sessions}/${session}`;
  const before = String((await ask('POST', `${at}/turns`, { message: JSON.stringify({ script: [{ text: 'hello' }] }) }))['id']);
  await ask('GET', `${at}/turns/${before}?wait=30`);
  const turn = String((await ask('POST', `${at}/turns`, { message: script }))['id']);
  const open = await eventually(
    async () => (await ask('GET', `${at}/turns/${turn}/actions`))['required_actions'] as Open,
    (actions) => Object.keys(actions).length === 2,
  );
  const [action = ''] = Object.keys(open).filter((id) => open[id]?.child_session_id === undefined);
  const child = first(await ask('GET', `${at}/subagents`), 'data')['data'] as { readonly child_session_id: string; readonly child_turn_id: string };
  const events = (await ask('GET', `${at}/turns/${turn}/events?limit=100`))['data'] as readonly {
    readonly type: string;
    readonly data: Record<string, unknown>;
  }[];
  // Both wait now, and the helper has been told what its parent knows: nothing in this session moves any more by itself.
  await eventually(
    async () => (await ask('GET', `${at}/turns/${turn}`))['status'],
    (status) => status === 'requires_action',
  );
  await eventually(
    async () => (await ask('GET', `${at}/subagents/${child.child_session_id}/events?limit=100`))['data'] as readonly { readonly type: string }[],
    (log) => log.at(-1)?.type === 'session.parent_told',
  );
  const hook = { url: 'http://127.0.0.1:9/hook', event_types: ['turn.failed'] };
  return {
    session,
    turn,
    action,
    event: String(first(await ask('GET', `${at}/events?limit=1`), 'data')['id']),
    command: String(((await ask('POST', `${at}/turns/${turn}/steer`, { message: 'briefly' }))['command'] as { id?: unknown }).id),
    child: child.child_session_id,
    childTurn: child.child_turn_id,
    childEvent: String(first(await ask('GET', `${at}/subagents/${child.child_session_id}/events?limit=1`), 'data')['id']),
    checkpoint: String(first(await ask('GET', `${at}/checkpoints`), 'data')['checkpoint_id']),
    file: String((await ask('POST', `${at}/files`, 'mine', { 'content-type': 'text/plain', 'x-file-name': 'mine.txt' }))['id']),
    artifact: String(first(await ask('GET', `${at}/turns/${turn}/artifacts`), 'items')['artifact_id']),
    webhook: String((await ask('POST', `${at}/webhooks`, hook))['id']),
    turnWebhook: String((await ask('POST', `${at}/turns/${turn}/webhooks`, hook))['id']),
    modelCall: String(events.find(({ type }) => type === 'item.started')?.data['model_call_id']),
    schedule: String((await ask('POST', `${at}/schedules`, { at: '2100-01-01T00:00:00Z', message: 'later' }))['id']),
  };
};
