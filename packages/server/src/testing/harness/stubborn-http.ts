/** HTTP as a client with patience makes it: what got no answer is asked again, under the same key, until it has one. */
import { setTimeout as wait } from 'node:timers/promises';

export type StubbornHttp = {
  /** The JSON of the answer; throws for a refusal that repeating cannot change. */
  readonly call: <Answer>(method: string, path: string, body?: unknown, key?: string) => Promise<Answer>;
  /** Reads a stream of events for as long as `wanted`, over every cut, each time from behind the last event that it saw. */
  readonly follow: (path: string, seen: (event: StreamEvent) => void, stop: AbortSignal) => Promise<void>;
};

export type StreamEvent = {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
  readonly created_at: number;
  readonly data: Record<string, unknown>;
};

const passing = new Set([429, 502, 503, 504]);

/** `url` may be another one at each try: any server on the same database will do. */
export const createStubbornHttp = (url: string | (() => string), token: string): StubbornHttp => {
  const base = typeof url === 'string' ? () => url : url;
  const headers = { authorization: `Bearer ${token}` };

  const call: StubbornHttp['call'] = async (method, path, body, key) => {
    for (;;) {
      const response = await fetch(`${base()}/api/v1${path}`, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
        .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
        .catch(() => undefined);
      if (response && response.status < 300) return JSON.parse(response.text);
      if (response && !passing.has(response.status)) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
      await wait(50 + Math.random() * 150);
    }
  };

  const readOnce = async (path: string, after: string, seen: (event: StreamEvent) => void, stop: AbortSignal): Promise<void> => {
    const query = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
    const response = await fetch(`${base()}/api/v1${path}${query}`, { headers, signal: stop });
    if (!response.ok || !response.body) throw new Error(`stream: ${response.status}`);
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const data = /^data: ?(.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data !== undefined) seen(JSON.parse(data) as StreamEvent);
      }
    }
  };

  return {
    call,
    follow: async (path, seen, stop) => {
      let after = '';
      while (!stop.aborted) {
        await readOnce(
          path,
          after,
          (event) => {
            after = event.cursor;
            seen(event);
          },
          stop,
        ).catch(() => {});
        await wait(50 + Math.random() * 200, undefined, { signal: stop }).catch(() => {});
      }
    },
  };
};
