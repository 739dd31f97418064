/**
 * `ctx.sessions` in the mini-tool's process: what it is asked goes to the server as it was given.
 *
 * MW1 No method throws at once: whatever goes wrong, arguments of the wrong type included, is a rejected promise with a `code`.
 * MW2 What this process refuses by itself (limits of a message) it refuses only after permission and ownership: who may not, or asks for
 *     what belongs to somebody else, learns that and nothing else.
 */
import type { SessionBridgeEvent, SessionDurableEvent } from '../context/session-events.ts';
import type { CreatedSessionWithTurn, Sessions } from '../context/sessions.ts';
import { MinitoolError } from '../failure.ts';
import type { SessionMethod } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import type { Handlers } from './handlers.ts';
import type { Listeners } from './listeners.ts';
import { type Outgoing, prepareMessage } from './outgoing-message.ts';

export type SessionsParts = {
  readonly host: Pick<ToolPeer, 'ask'>;
  readonly outboxPath: string;
  readonly listeners: Listeners<SessionBridgeEvent>;
  readonly consumers: Handlers<SessionDurableEvent>;
  /** The call of a tool that this is said in. */
  readonly callToken: () => string | undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON has no such numbers and would make `null` of them. `NaN` is told as a text, which the server refuses; the endless ones are held to the limits. */
const sayable = (value: unknown): unknown => {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
};

const sayableMembers = (options: unknown): unknown =>
  isObject(options) ? Object.fromEntries(Object.entries(options).map(([name, value]) => [name, sayable(value)])) : options;

/** Without what was not given at the end: JSON would make `null` of it. */
const given = (args: readonly unknown[]): readonly unknown[] => args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1);

type Call = (method: SessionMethod, ...args: readonly unknown[]) => Promise<never>;

const createCall =
  ({ host, callToken }: SessionsParts): Call =>
  async (method, ...args) => {
    const token = callToken();
    return (await host.ask('sessions.call', { method, args: given(args), ...(token === undefined ? {} : { callToken: token }) })) as never;
  };

/** What comes before arguments: permission, and for a session whose it is. */
const checkStanding = async (call: Call, sessionId: unknown): Promise<void> => {
  const isNamed = typeof sessionId === 'string' && sessionId !== '';
  let found: unknown;
  try {
    found = await call('get', isNamed ? sessionId : 'none');
  } catch (error) {
    if (error instanceof MinitoolError && error.code === 'permission_denied') throw error;
    return;
  }
  if (isNamed && found === null) throw new MinitoolError('not_found', 'There is no such session, or it is not yours');
};

const createPrepare =
  (call: Call, outboxPath: string) =>
  async (message: unknown, at: string, sessionId: unknown): Promise<Outgoing> => {
    try {
      return await prepareMessage(message, outboxPath, at);
    } catch (error) {
      await checkStanding(call, sessionId);
      throw error;
    }
  };

export const createSessions = (parts: SessionsParts): Sessions => {
  const call = createCall(parts);
  const prepare = createPrepare(call, parts.outboxPath);
  const create = async (options: unknown): Promise<CreatedSessionWithTurn> => {
    if (!isObject(options) || options['initialMessage'] === undefined) return call('create', options);
    const { message, release } = await prepare(options['initialMessage'], '/initialMessage', undefined);
    try {
      return await call('create', { ...options, initialMessage: message });
    } finally {
      await release();
    }
  };
  return {
    create,
    get: async (sessionId) => (await call('get', sessionId)) ?? undefined,
    list: (options) => call('list', options),
    send: async (sessionId, message, options) => {
      const outgoing = await prepare(message, '', sessionId);
      try {
        return await call('send', sessionId, outgoing.message, options);
      } finally {
        await outgoing.release();
      }
    },
    waitForTurn: (sessionId, turnId, options) => call('waitForTurn', sessionId, turnId, sayableMembers(options)),
    onDidReceiveEvent: (listener) => parts.listeners.add(listener),
    listEvents: (options) => call('listEvents', sayableMembers(options)),
    listWaits: (sessionId) => call('listWaits', sessionId),
    respondToWait: (sessionId, requestId, response) => call('respondToWait', sessionId, requestId, response),
    waitForWait: async (sessionId, options) => (await call('waitForWait', sessionId, sayableMembers(options))) ?? undefined,
    consume: (name, handler) => parts.consumers.add(name, handler),
    cancelTurn: (sessionId, turnId) => call('cancelTurn', sessionId, turnId),
    setPermissionMode: async (sessionId, mode) => {
      await call('setPermissionMode', sessionId, mode);
    },
  };
};
