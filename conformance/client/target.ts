/** The server that is tested, as the suites speak to it. */
import { type CheckAnswer, createAnswerCheck, type OpenApi } from './answer-schemas.ts';
import { type EventEnvelope, type EventStream, followStream } from './event-stream.ts';

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };
export type CallOptions = {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>> /** `null` = none. */;
  readonly token?: string | null;
};

export type Target = {
  readonly url: string;
  readonly token: string;
  readonly document: OpenApi;
  /** Any request; its answer is checked against the OpenAPI document. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  readonly follow: (path: string, headers?: Readonly<Record<string, string>>) => Promise<EventStream>;
  /** Id of an agent that plays scripts and has the application's tool `lookup`. */
  readonly agent: string;
  readonly newSession: () => Promise<string>;
  /** Submits a script: one list of directives a step. */
  readonly submit: (session: string, steps: readonly (readonly unknown[])[], key?: string) => Promise<string>;
  readonly settled: (session: string, turn: string) => Promise<Answer>;
  /** All of a session's or turn's events, read in pages. */
  readonly history: (path: string) => Promise<readonly EventEnvelope[]>;
};

export const sessions = '/api/v1/agent-sessions';
export const freshKey = (): string => `key-${crypto.randomUUID()}`;

const createCall =
  (url: string, token: string, check: CheckAnswer): Target['call'] =>
  async (method, path, { body, key, headers = {}, token: other = token } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(other === null ? {} : { authorization: `Bearer ${other}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
    const type = response.headers.get('content-type') ?? '';
    const fault = check({ method, path: new URL(response.url).pathname, status: response.status, type, body: parsed });
    if (fault !== undefined) throw new Error(fault);
    return { status: response.status, headers: response.headers, body: parsed ?? {} };
  };

const definition = {
  system: 'You play scripts.',
  model: 'demo:script',
  tools: [
    { type: 'function', name: 'lookup', description: 'Looks something up.', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } },
    { type: 'builtin', name: 'calculator' },
    {
      type: 'function',
      name: 'erase',
      description: 'Erases something.',
      inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
      destructive: true,
    },
    { type: 'function', name: 'launch', description: 'Launches it.', inputSchema: { type: 'object' }, permission: 'always_ask' },
    { type: 'builtin', name: 'ask_user' },
    ...['list_files', 'read_file', 'write_file', 'publish_artifact'].map((name) => ({ type: 'builtin', name, permission: 'always_allow' })),
  ],
};

export const openTarget = async (url: string, token: string): Promise<Target> => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const call = createCall(url, token, createAnswerCheck(document));
  const made = await call('POST', '/api/v1/agents', { body: { agentKey: `script-${crypto.randomUUID().slice(0, 8)}`, displayName: 'Script', definition } });
  const agent = String((made.body['agent'] as { id?: unknown } | undefined)?.id);
  const newSession = async (): Promise<string> => String((await call('POST', sessions, { body: { agent } })).body['id']);
  return {
    url,
    token,
    document,
    call,
    agent,
    newSession,
    follow: (path, headers = {}) => followStream(`${url}${path}`, { ...('x-api-key' in headers ? {} : { authorization: `Bearer ${token}` }), ...headers }),
    submit: async (session, steps, key = freshKey()) => {
      const answer = await call('POST', `${sessions}/${session}/turns`, { body: { message: JSON.stringify({ steps }) }, key });
      if (answer.status !== 202) throw new Error(`submit: ${answer.status} ${JSON.stringify(answer.body)}`);
      return String(answer.body['id']);
    },
    settled: (session, turn) => call('GET', `${sessions}/${session}/turns/${turn}?wait=30`),
    history: async (path) => {
      const all: EventEnvelope[] = [];
      for (let after = ''; ; ) {
        const { body } = await call('GET', `${path}?limit=7&after=${after}`);
        all.push(...(body['data'] as EventEnvelope[]));
        after = String(body['next_cursor']);
        if (body['has_more'] !== true) return all;
      }
    },
  };
};

/** As long as the suites wait for anything (vitest.config.ts): only what never comes is a fault. */
export const patienceMs = 30_000;

/** Asks again until `done`, for what becomes true by itself. */
export const eventually = async <Value>(ask: () => Promise<Value>, done: (value: Value) => boolean): Promise<Value> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (done(value)) return value;
    if (Date.now() > deadline) throw new Error(`It did not come true: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/**
 * For what must be done before something else is over by itself (a delay of the model, an instant that comes): `act` is tried with more and
 * more time for it, as a busy machine may need, and gives undefined where it came too late.
 */
export const inTime = async <Value>(firstMs: number, act: (forMs: number) => Promise<Value | undefined>): Promise<Value> => {
  for (let forMs = firstMs; forMs <= patienceMs; forMs *= 3) {
    const value = await act(forMs);
    if (value !== undefined) return value;
  }
  throw new Error('It was too late each time.');
};
