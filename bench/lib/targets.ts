/** What a load runs against: how sessions are made, turns submitted, and their ends seen, on the floor and the service. */
import { benchToken, type Child } from './child.ts';
import { call, openStream } from './http.ts';

export type Target = {
  readonly child: Child;
  /** Opens the n-th session and its reader; `submit` resolves when the turn's end has been read from the stream. */
  readonly open: (
    n: number,
  ) => Promise<{ readonly turn: () => Promise<{ readonly ackMs: number; readonly firstMs: number; readonly totalMs: number }>; readonly close: () => void }>;
};

const doneMark = Buffer.from('event: turn.completed');
const tokenMark = Buffer.from('event: item.delta');
const failMark = Buffer.from('event: turn.failed');

/** Watches a stream's bytes for marks; a mark may be cut by the pieces. */
const watcher = () => {
  let tail = Buffer.alloc(0);
  let onToken = (): void => {};
  let onDone = (_failed: boolean): void => {};
  return {
    data: (piece: Buffer): void => {
      const bytes = Buffer.concat([tail, piece]);
      if (bytes.includes(tokenMark)) onToken();
      const failed = bytes.includes(failMark);
      const done = bytes.includes(doneMark);
      tail = bytes.subarray(Math.max(0, bytes.length - doneMark.length + 1));
      if (done || failed) {
        tail = Buffer.alloc(0);
        onDone(failed);
      }
    },
    next: (token: () => void): Promise<void> =>
      new Promise((resolve, reject) => {
        onToken = token;
        onDone = (failed) => (failed ? reject(new Error('the turn failed')) : resolve());
      }),
  };
};

const timedTurn = async (submit: () => Promise<number>, watch: ReturnType<typeof watcher>) => {
  const from = performance.now();
  let firstMs = 0;
  const done = watch.next(() => {
    firstMs ||= performance.now() - from;
  });
  const status = await submit();
  if (status !== 202) throw new Error(`submit: ${status}`);
  const ackMs = performance.now() - from;
  await done;
  return { ackMs, firstMs, totalMs: performance.now() - from };
};

export const floorTarget = (child: Child): Target => ({
  child,
  open: async (n) => {
    const watch = watcher();
    const stream = await openStream(`${child.url}/events?session=${n}`, {}, watch.data);
    const submit = async (): Promise<number> => (await call(`${child.url}/turns?session=${n}`, { method: 'POST', body: '{"message":"go"}' })).status;
    return { turn: () => timedTurn(submit, watch), close: stream.close };
  },
});

export const auth = { Authorization: `Bearer ${benchToken}` };

export const post = async <Of>(
  child: Pick<Child, 'url'>,
  path: string,
  body: unknown,
  key?: string,
  headers: Readonly<Record<string, string>> = auth,
): Promise<Of> => {
  const answer = await call(`${child.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Of;
};

export const makeAgent = async (child: Child, agentKey: string, model: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { agent } = await post<{ agent: { id: string } }>(child, '/api/v1/agents', {
    agentKey,
    displayName: agentKey,
    definition: { system: 'You are a bench.', model, ...more },
  });
  return agent.id;
};

export type SessionPlace = {
  /** Where turns are submitted. */
  readonly submitAt: string;
  /** Where the stream is read: another node, perhaps. */
  readonly readAt: string;
  /** Whose session it is. */
  readonly headers: Readonly<Record<string, string>>;
};

let keys = 0;

/** A session with its reader, on one node or two. */
export const openSession = async (agent: string, { submitAt, readAt, headers }: SessionPlace): ReturnType<Target['open']> => {
  const session = await post<{ id: string }>({ url: submitAt }, '/api/v1/agent-sessions', { agent }, undefined, headers);
  const path = `/api/v1/agent-sessions/${session.id}`;
  const watch = watcher();
  const stream = await openStream(`${readAt}${path}/events/stream`, headers, watch.data);
  const submit = async (): Promise<number> => {
    keys += 1;
    const sent = { method: 'POST', headers: { ...headers, 'Idempotency-Key': `${session.id}-${keys}` }, body: '{"message":"go"}' };
    return (await call(`${submitAt}${path}/turns`, sent)).status;
  };
  return { turn: () => timedTurn(submit, watch), close: stream.close };
};

export const serviceTarget = async (child: Child, model: string): Promise<Target> => {
  const agent = await makeAgent(child, `bench-${Date.now().toString(36)}`, model);
  return { child, open: () => openSession(agent, { submitAt: child.url, readAt: child.url, headers: auth }) };
};
