/** Users, applications and keys made for a test: each suite has its own. */
import { eventually, freshKey, sessions, type Target } from './target.ts';

export type Person = { readonly id: string; readonly username: string; readonly password: string; readonly token: string };
export type Key = { readonly id: string; readonly apiKey: string };
export type Application = { readonly id: string; readonly version: number };

const password = 'a long pass phrase';
const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** A user with a password, signed in. */
export const newPerson = async ({ call }: Target, name = 'person', roles: readonly string[] = ['user']): Promise<Person> => {
  const username = `${name}-${crypto.randomUUID().slice(0, 8)}`;
  const made = await call('POST', '/api/v1/users', { body: { username, password, roles } });
  if (made.status !== 201) throw new Error(`user: ${made.status} ${JSON.stringify(made.body)}`);
  const { body } = await call('POST', '/api/auth/login', { body: { username, password }, token: null });
  return { id: String(field(made.body, 'user', 'id')), username, password, token: String(body['token']) };
};

export const newApplication = async ({ call }: Target, changes: Record<string, unknown> = {}, token?: string): Promise<Application> => {
  const made = await call('POST', '/api/v1/applications', { body: { name: 'App', ...changes }, ...(token === undefined ? {} : { token }) });
  if (made.status !== 201) throw new Error(`application: ${made.status} ${JSON.stringify(made.body)}`);
  return { id: String(field(made.body, 'application', 'id')), version: Number(field(made.body, 'application', 'version')) };
};

/** An application with somebody who may only read its sessions, somebody who also answers in them, and somebody who is nothing to it. */
export const newStaffedApplication = async (target: Target) => {
  const viewer = await newPerson(target, 'viewer');
  const operator = await newPerson(target, 'operator');
  const stranger = await newPerson(target, 'stranger');
  const members = [
    { userId: viewer.id, roles: ['viewer'] },
    { userId: operator.id, roles: ['operator'] },
  ];
  return { viewer, operator, stranger, application: await newApplication(target, { members }) };
};

export const allScopes = ['invoke', 'read', 'interact', 'cancel', 'webhooks:write'] as const;

export const newKey = async ({ call, agent }: Target, application: string, changes: Record<string, unknown> = {}): Promise<Key> => {
  const body = { name: 'key', scopes: allScopes, targets: [{ type: 'agent', id: agent }], ...changes };
  const made = await call('POST', `/api/v1/applications/${application}/credentials`, { body });
  if (made.status !== 201) throw new Error(`credential: ${made.status} ${JSON.stringify(made.body)}`);
  return { id: String(field(made.body, 'credential', 'id')), apiKey: String(made.body['apiKey']) };
};

/** How a caller shows who it is: a token, or a key in its own header. */
export type Credential = { readonly token: string | null; readonly headers?: Readonly<Record<string, string>> };
export const byToken = (token: string): Credential => ({ token });
export const byKey = ({ apiKey }: Key): Credential => ({ token: null, headers: { 'x-api-key': apiKey } });

/** A session of this caller in which a tool of the application waits for its result. */
export const waitingSession = async (target: Target, by: Credential): Promise<{ readonly session: string; readonly turn: string; readonly action: string }> => {
  const { call, agent } = target;
  const session = String((await call('POST', sessions, { body: { agent }, ...by })).body['id']);
  const message = JSON.stringify({ steps: [[{ tool: { name: 'lookup' } }], [{ text: 'done' }]] });
  const turn = String((await call('POST', `${sessions}/${session}/turns`, { body: { message }, key: freshKey(), ...by })).body['id']);
  const action = await openAction(target, session, turn);
  return { session, turn, action };
};

/** The id of the turn's one open action, once there is one. Asked for by the admin, who reads all. */
export const openAction = async ({ call }: Target, session: string, turn: string): Promise<string> => {
  const [id = ''] = await eventually(
    async () => Object.keys(((await call('GET', `${sessions}/${session}/turns/${turn}/actions`)).body['required_actions'] as object | undefined) ?? {}),
    (open) => open.length > 0,
  );
  return id;
};
