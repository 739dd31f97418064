/**
 * Requests and notices between the server and one process, as JSON-RPC over the lines of its channel.
 *
 * CN1 Of the process's requests, `maxCallsInFlight` wait for an answer at once and `callsPerSecond` come on the long run; one more is
 *     answered `too_many_calls` before anybody looks at it.
 * CN2 What waits for an answer of the process is rejected with `MinitoolDown` when the channel closes.
 * CN3 An error of the server that nobody expected is told to the process without its text.
 * CN4 A process that does not read what it is sent is given up before it costs more than `mostUnread` bytes.
 */
import type { Duplex } from 'node:stream';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { maxCallsInFlight, maxMessageBytes, type WireFailure } from '@turnkeeper/minitool/protocol';
import { type CancellationToken, CancellationTokenSource, createMessageConnection, NullLogger, ResponseError } from 'vscode-jsonrpc/node';
import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { MinitoolDown, MinitoolFailure } from '../host-api.ts';
import { ChannelReader, ChannelWriter } from './channel.ts';
import { TokenBucket } from './token-bucket.ts';

export type ConnectionOptions = {
  readonly channel: Duplex;
  readonly clock: Clock;
  /** What it sends may have so many bytes. */
  readonly bytes: TokenBucket;
  /** Answers a request of the process; the signal aborts when the process takes it back or the channel closes. */
  readonly onRequest: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
  readonly onNotice: (method: string, params: unknown) => void;
  /** The process broke the rules: nothing more is read. */
  readonly broken: (why: string) => void;
  /** The channel has closed, and not by `close`. */
  readonly lost: () => void;
  readonly report: (error: unknown) => void;
};

export type Connection = {
  readonly request: (method: string, params: object, signal?: AbortSignal) => Promise<unknown>;
  readonly notify: (method: string, params: object) => void;
  readonly close: () => void;
};

const callsPerSecond = 200;
const callsAtOnce = 400;
/** Of messages of any kind; beyond that the process is read more slowly. */
const messagesPerSecond = 2_000;
const messagesAtOnce = 4_000;
/** JSON-RPC's number for errors of the application; what it is stands in `data`. */
const applicationError = -32_000;
const shownCharacters = 4_000;

const wireFailure = z.object({ code: z.string().min(1).max(64), message: z.string(), details: z.record(z.string(), z.json()).optional() });

const asWireFailure = (error: unknown, report: (error: unknown) => void): WireFailure => {
  if (error instanceof MinitoolFailure) return { code: error.code, message: error.message, ...(error.details ? { details: error.details } : {}) };
  if (error instanceof TurnkeeperError) return { code: error.code, message: error.message, details: error.details as JsonObject };
  report(error);
  return { code: 'internal_error', message: 'Something went wrong in the service.' };
};

/** What the process answered to a request of ours, as an error that is thrown here. */
const asFailure = (error: unknown): Error => {
  if (!(error instanceof ResponseError)) return error instanceof Error ? error : new Error(String(error));
  const failure = wireFailure.safeParse(error.data);
  const message = (failure.success ? failure.data.message : error.message).slice(0, shownCharacters);
  return failure.success ? new MinitoolFailure(failure.data.code, message, failure.data.details) : new Error(message);
};

const toAbortSignal = (token: CancellationToken, closed: AbortSignal): AbortSignal => {
  const cancelled = new AbortController();
  token.onCancellationRequested(() => cancelled.abort());
  return AbortSignal.any([cancelled.signal, closed]);
};

export const connect = ({ channel, clock, bytes, onRequest, onNotice, broken, lost, report }: ConnectionOptions): Connection => {
  const closed = new AbortController();
  const bucket = new TokenBucket(clock, callsPerSecond, callsAtOnce);
  const writer = new ChannelWriter(channel, maxMessageBytes, broken);
  const reader = new ChannelReader(channel, clock, {
    lines: { maxBytes: maxMessageBytes, perSecond: messagesPerSecond, burst: messagesAtOnce, bytes },
    broken,
    mayCall: (inFlight) => inFlight < maxCallsInFlight && bucket.take(),
    refuse: (id) => {
      const data: WireFailure = { code: 'too_many_calls', message: `More than ${maxCallsInFlight} calls at once, or ${callsPerSecond} in a second.` };
      void writer.write({ jsonrpc: '2.0', id, error: { code: applicationError, message: data.message, data } } as never).catch(() => {});
    },
  });
  writer.answered = (id) => reader.answered(id);
  const rpc = createMessageConnection(reader, writer, NullLogger);
  rpc.onRequest(async (method: string, params: unknown, token: CancellationToken) => {
    try {
      return (await onRequest(method, params ?? {}, toAbortSignal(token, closed.signal))) ?? null;
    } catch (error) {
      const failure = asWireFailure(error, report);
      return new ResponseError(applicationError, failure.message, failure);
    }
  });
  rpc.onNotification((method: string, params: unknown) => onNotice(method, params ?? {}));
  const close = (): void => {
    if (closed.signal.aborted) return;
    closed.abort(new MinitoolDown('The mini-tool’s process has ended.'));
    rpc.dispose();
    channel.destroy();
  };
  const end = (): void => {
    if (closed.signal.aborted) return;
    close();
    lost();
  };
  channel.on('error', end);
  channel.on('close', end);
  rpc.listen();
  return {
    request: async (method, params, signal) => {
      if (closed.signal.aborted) throw new MinitoolDown('The mini-tool’s process has ended.');
      const source = new CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      try {
        return await rpc.sendRequest(method, params, source.token);
      } catch (error) {
        if (closed.signal.aborted) throw new MinitoolDown('The mini-tool’s process has ended.');
        throw asFailure(error);
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },
    notify: (method, params) => {
      if (!closed.signal.aborted) void rpc.sendNotification(method, params).catch(() => {});
    },
    close,
  };
};
