/**
 * HTTP: credentials, JSON, errors, and retries where they are safe.
 *
 * H1 Only what may be repeated without a second effect is retried: GETs, and POSTs that carry an idempotency key.
 * H2 Retried are lost connections and answers that say "later" (502, 503, 504, 429 `rate_limited`); a refusal is final.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { backoffMs } from './backoff.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import { errorFromResponse } from './problem.ts';
import { sleep } from './sleep.ts';
import { UnreachableError } from './unreachable-error.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What can be sent as it is. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>;

export type TransportOptions = {
  /** Where the server is, e.g. `http://127.0.0.1:4747`; '' for the page's own origin. */
  readonly baseUrl: string;
  /** A user's token, or a client's token for one session. */
  readonly token?: string;
  /** An application's key. */
  readonly apiKey?: string;
  readonly fetch?: Fetch;
};

export type RequestOptions = {
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly body?: unknown;
  /** In place of `body`: bytes that are sent as they are. */
  readonly bytes?: Bytes;
  /** Hears, from 0 to 1, how much of `bytes` is on its way; only where the platform tells (browsers). */
  readonly onSent?: (part: number) => void;
  readonly headers?: { readonly [name: string]: string };
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Gives up on an attempt after this long without an answer. */
  readonly timeoutMs?: number;
  /** How often it is tried at most; 1 = never again. */
  readonly attempts?: number;
};

export type Transport = {
  /** What every stream asks for: padding, once one has fallen silent, as behind a proxy that holds back what is less than a block. */
  readonly streamQuery: () => { readonly padded?: true };
  /** A stream has fallen silent. */
  readonly fellSilent: () => void;
  /** Sends a request and gives the JSON of the answer (undefined for 204). Throws TurnkeeperError or UnreachableError. */
  readonly request: <Answer>(method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  /** Fetches bytes; the answer is to be read by the caller. Throws as `request`. */
  readonly download: (path: string, options?: Pick<RequestOptions, 'headers' | 'signal'>) => Promise<Response>;
  /** Opens an answer to be read piece by piece; never retried here. */
  readonly open: (path: string, options: { readonly query?: RequestOptions['query']; readonly signal: AbortSignal }) => Promise<Response>;
};

const defaultTimeoutMs = 30_000;
const defaultAttempts = 4;

/** It is used up by the first attempt. */
const isStream = (bytes: Bytes | undefined): boolean => typeof ReadableStream === 'function' && bytes instanceof ReadableStream;

const bodyOf = ({ body, bytes }: RequestOptions): RequestInit => {
  if (bytes === undefined) return body === undefined ? {} : { body: JSON.stringify(body) };
  // A stream is sent while it comes, which must be asked for.
  return { body: bytes, ...(isStream(bytes) ? { duplex: 'half' } : {}) } as RequestInit;
};

const retryable = (error: unknown): boolean => {
  if (error instanceof UnreachableError) return true;
  if (!(error instanceof TurnkeeperError)) return false;
  const status = error.details['status'];
  return status === 502 || status === 503 || status === 504 || error.code === 'rate_limited';
};

/** What the server asked for, within reason, else our own back-off. */
export const waitBefore = (error: unknown, attempt: number): number => {
  const asked = error instanceof TurnkeeperError ? error.details['retry_after_ms'] : undefined;
  return Math.max(backoffMs(attempt), typeof asked === 'number' ? Math.min(asked, 15_000) : 0);
};

export const createTransport = (options: TransportOptions): Transport => {
  const send: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const base = options.baseUrl.replace(/\/+$/, '');
  const credentials: Record<string, string> = {
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
  };

  const urlOf = (path: string, query: RequestOptions['query'] = {}): string => {
    const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    return `${base}${path}${entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`}`;
  };

  const attempt = async (method: string, path: string, request: RequestOptions): Promise<unknown> => {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...credentials,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
      ...request.headers,
    };
    const body = bodyOf(request);
    try {
      const by = request.onSent && options.fetch === undefined ? fetchWithProgress(send, request.onSent) : send;
      const response = await by(urlOf(path, request.query), { method, headers, signal, cache: 'no-store', ...body });
      if (!response.ok) throw await errorFromResponse(response);
      const text = await response.text();
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    } catch (error) {
      if (error instanceof TurnkeeperError) throw error;
      if (request.signal?.aborted) throw request.signal.reason;
      throw new UnreachableError(timeout.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.', { cause: error });
    }
  };

  let padded = false;
  return {
    streamQuery: () => (padded ? { padded } : {}),
    fellSilent: () => {
      padded = true;
    },
    request: async <Answer>(method: string, path: string, request: RequestOptions = {}): Promise<Answer> => {
      const safe = method === 'GET' || request.idempotencyKey !== undefined;
      const attempts = isStream(request.bytes) ? 1 : safe ? (request.attempts ?? defaultAttempts) : 1;
      for (let made = 0; ; made += 1) {
        try {
          return (await attempt(method, path, request)) as Answer;
        } catch (error) {
          if (made + 1 >= attempts || !retryable(error)) throw error;
          await sleep(waitBefore(error, made), request.signal);
        }
      }
    },
    download: async (path, { headers = {}, signal } = {}) => {
      try {
        const response = await send(urlOf(path), { headers: { ...credentials, ...headers }, ...(signal ? { signal } : {}) });
        if (!response.ok && response.status !== 304) throw await errorFromResponse(response);
        return response;
      } catch (error) {
        if (error instanceof TurnkeeperError) throw error;
        if (signal?.aborted) throw signal.reason;
        throw new UnreachableError('The server cannot be reached.', { cause: error });
      }
    },
    open: async (path, { query, signal }) => {
      const response = await send(urlOf(path, query), {
        headers: { accept: 'text/event-stream', ...credentials },
        signal,
        cache: 'no-store',
      });
      if (!response.ok) throw await errorFromResponse(response);
      return response;
    },
  };
};
