/**
 * One end of the conversation between the server and a mini-tool's process, typed by `protocol.ts`. Both ends are made here.
 *
 * RJ2 At most `maxCallsInFlight` requests wait for an answer; more are refused here, with `too_many_calls`.
 * RJ3 Whatever fails rejects with a `MinitoolError`: no method throws at once.
 */
import { CancellationTokenSource, createMessageConnection, ErrorCodes, type Logger, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { errorOf, failureOf, MinitoolError, messageOf } from '../failure.ts';
import { type HostNotices, type HostRequests, maxCallsInFlight, maxMessageBytes, type ToolNotices, type ToolRequests, type WireFailure } from '../protocol.ts';
import type { Channel } from './channel.ts';
import { createReader, createWriter } from './transport.ts';

type Requests<R> = { readonly [M in keyof R]: readonly [unknown, unknown] };
type Params<R, M extends keyof R> = R[M] extends readonly [infer P, unknown] ? P : never;
type Answer<R, M extends keyof R> = R[M] extends readonly [unknown, infer A] ? A : never;

export interface Peer<Asks extends Requests<Asks>, Tells, Answers extends Requests<Answers>, Hears> {
  /** Asks the other side; `signal` tells it that nobody waits any longer, and the answer is awaited still. */
  ask<M extends keyof Asks & string>(method: M, params: Params<Asks, M>, signal?: AbortSignal): Promise<Answer<Asks, M>>;
  /** Best effort, in order. Resolves when it was handed on, whether that went well or not. */
  tell<M extends keyof Tells & string>(method: M, params: Tells[M]): Promise<void>;
  /** Before `listen`. */
  answer<M extends keyof Answers & string>(method: M, handler: (params: Params<Answers, M>, signal: AbortSignal) => Promise<Answer<Answers, M>>): void;
  hear<M extends keyof Hears & string>(method: M, handler: (params: Hears[M]) => void): void;
  listen(): void;
  onEnd(listener: () => void): void;
  dispose(): void;
}

/** The process's end. */
export type ToolPeer = Peer<HostRequests, HostNotices, ToolRequests, ToolNotices>;
/** The server's end. */
export type HostPeer = Peer<ToolRequests, ToolNotices, HostRequests, HostNotices>;

export type PeerOptions = {
  /** How an error of a handler goes over the wire; `failureOf` unless given. */
  readonly failureOf?: (error: unknown, method: string) => WireFailure;
  /** What the connection itself complains about; nobody unless given. */
  readonly report?: (message: string) => void;
};

/** Room for what stands around the parameters. */
const envelopeBytes = 1_024;

const checkParams = (method: string, params: unknown): void => {
  let text: string;
  try {
    text = JSON.stringify(params);
  } catch (error) {
    throw new MinitoolError('invalid_argument', `${method}: what was given cannot be written as JSON (${messageOf(error)})`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > maxMessageBytes - envelopeBytes)
    throw new MinitoolError('payload_too_large', `${method}: what was given is ${bytes} bytes, at most ${maxMessageBytes - envelopeBytes} are sent`);
};

const linked = (signal: AbortSignal | undefined): { readonly source: CancellationTokenSource; readonly unlink: () => void } => {
  const source = new CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return { source, unlink: () => signal?.removeEventListener('abort', cancel) };
};

const loggerTo = (report: (message: string) => void): Logger => ({ error: report, warn: report, info: () => {}, log: () => {} });

const createAsk = (connection: MessageConnection): ((method: string, params: unknown, signal?: AbortSignal) => Promise<never>) => {
  let inFlight = 0;
  return async (method, params, signal) => {
    checkParams(method, params);
    if (inFlight >= maxCallsInFlight)
      throw new MinitoolError('too_many_calls', `${method}: ${maxCallsInFlight} calls wait for an answer already`, { limit: maxCallsInFlight });
    inFlight += 1;
    const { source, unlink } = linked(signal);
    try {
      return (await connection.sendRequest(method, params, source.token)) as never;
    } catch (error) {
      throw errorOf(error instanceof ResponseError ? error.data : undefined, `${method}: ${messageOf(error)}`);
    } finally {
      unlink();
      source.dispose();
      inFlight -= 1;
    }
  };
};

const createPeer = (
  channel: Channel,
  options: PeerOptions,
): Peer<HostRequests & ToolRequests, HostNotices & ToolNotices, HostRequests & ToolRequests, HostNotices & ToolNotices> => {
  const report = options.report ?? (() => {});
  const connection = createMessageConnection(createReader(channel), createWriter(channel), loggerTo(report));
  const failure = options.failureOf ?? failureOf;
  return {
    ask: createAsk(connection),
    tell: async (method, params) => {
      try {
        await connection.sendNotification(method, params);
      } catch (error) {
        report(`${method}: ${messageOf(error)}`);
      }
    },
    answer: (method, handler) => {
      connection.onRequest(method, async (params, token) => {
        const abort = new AbortController();
        const link = token.onCancellationRequested(() => abort.abort(new MinitoolError('cancelled', `${method} was cancelled`)));
        try {
          return await handler(params, abort.signal);
        } catch (error) {
          const data = failure(error, method);
          throw new ResponseError(ErrorCodes.InternalError, data.message, data);
        } finally {
          link.dispose();
        }
      });
    },
    hear: (method, handler) => {
      connection.onNotification(method, handler);
    },
    listen: () => connection.listen(),
    onEnd: (listener) => {
      connection.onClose(listener);
    },
    dispose: () => connection.dispose(),
  };
};

export const createToolPeer = (channel: Channel, options: PeerOptions = {}): ToolPeer => createPeer(channel, options);
export const createHostPeer = (channel: Channel, options: PeerOptions = {}): HostPeer => createPeer(channel, options);
