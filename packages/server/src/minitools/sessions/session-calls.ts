/**
 * `ctx.sessions` in the server: one function for each method, over the use cases that people's requests come to.
 *
 * AS3 Nothing is asked of a method before the manifest allows it, and nothing is done before its arguments fit.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type HostRequests, maxMessageBytes, type SessionMethod } from '@turnkeeper/minitool/protocol';
import { ownerOf } from '../../app/caller.ts';
import { cancelTurn } from '../../app/control-turn.ts';
import { runJob } from '../../app/run-job.ts';
import { type AskingMinitool, type CallInProgress, MinitoolFailure } from '../host-api.ts';
import * as take from './arguments.ts';
import { createOwn, requireContainer } from './create.ts';
import { listOwnEvents } from './list-events.ts';
import { containerPlacement, type Descriptor, descriptorOf, ownSession } from './own-session.ts';
import { sendOwn } from './send.ts';
import { callerOf, requirePermission, type SessionServices } from './services.ts';
import { waitForOwnTurn } from './turn-result.ts';
import { listOwnWaits, respondToOwnWait, waitForOwnWait } from './waits.ts';

type Method = (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[], call?: CallInProgress) => Promise<unknown>;

const getOwn = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<Descriptor | undefined> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  try {
    const { session } = await ownSession(services, minitool, sessionId);
    return descriptorOf(minitool.id, session.row, session.config);
  } catch (error) {
    if (error instanceof TurnkeeperError && error.code === 'not_found') return undefined;
    throw error;
  }
};

const listedAtOnce = 500;
/** Of a list, as JSON: with room to spare in one message to the process. */
const mostListed = maxMessageBytes / 2;

/** The newest first, as many as one message holds. */
const listOwn = async ({ app }: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<readonly Descriptor[]> => {
  const { containerId, includeArchived } = take.readArgument(take.listOptions, args[0], 'options');
  if (containerId !== undefined) requireContainer(minitool, containerId);
  const found: Descriptor[] = [];
  let bytes = 0;
  const query = {
    owner: ownerOf(callerOf(minitool)),
    status: includeArchived ? ('all' as const) : ('active' as const),
    order: 'created' as const,
    limit: listedAtOnce,
    ...(containerId === undefined ? {} : { placement: containerPlacement(minitool.id, containerId) }),
  };
  for (let offset = 0; ; offset += listedAtOnce) {
    const rows = await app.sessions.store.list({ ...query, offset });
    const configs = await app.sessions.configs(rows.map(({ configRef }) => configRef));
    for (const [n, row] of rows.entries()) {
      const config = configs[n];
      if (!config) continue;
      const descriptor = descriptorOf(minitool.id, row, config);
      bytes += Buffer.byteLength(JSON.stringify(descriptor));
      if (bytes > mostListed) return found;
      found.push(descriptor);
    }
    if (rows.length < listedAtOnce) return found;
  }
};

/** True where this ended the turn, or made it end. */
const cancelOwn = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<boolean> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  await ownSession(services, minitool, sessionId, 'cancel');
  const turnId = take.readArgument(take.turnId, args[1], 'turnId');
  const { app } = services;
  try {
    await cancelTurn(app, callerOf(minitool), sessionId, turnId, app.ids.next('cancel'));
    return true;
  } catch (error) {
    if (error instanceof TurnkeeperError && error.code === 'turn_closed') return false;
    throw error;
  }
};

/** From the next step on. */
const setOwnMode = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<null> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  const { lane, session } = await ownSession(services, minitool, sessionId, 'interact');
  const mode = take.readArgument(take.permissionMode, args[1], 'mode');
  await runJob(lane, (state) => ({
    asks: (state.permissionMode ?? session.config.target.definition.permissionMode) === mode ? [] : [{ type: 'set_mode', mode }],
  }));
  return null;
};

const methods: { readonly [Name in SessionMethod]: Method } = {
  create: createOwn,
  get: getOwn,
  list: listOwn,
  send: sendOwn,
  waitForTurn: waitForOwnTurn,
  listEvents: listOwnEvents,
  listWaits: listOwnWaits,
  waitForWait: waitForOwnWait,
  respondToWait: respondToOwnWait,
  cancelTurn: cancelOwn,
  setPermissionMode: setOwnMode,
};

/** The handler of `sessions.call`. Rejects with a `MinitoolFailure` or a `TurnkeeperError`. */
export const createSessionCalls =
  (services: SessionServices) =>
  async (minitool: AskingMinitool, { method, args }: HostRequests['sessions.call'][0], call?: CallInProgress): Promise<unknown> => {
    requirePermission(minitool, 'sessions');
    if (!Object.hasOwn(methods, method)) throw new MinitoolFailure('invalid_argument', `There is no method ${String(method)} of ctx.sessions.`);
    return methods[method](services, minitool, args, call);
  };
