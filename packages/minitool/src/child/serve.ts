/**
 * Runs one mini-tool at one end of a conversation with the server.
 *
 * JN1 A mini-tool is activated once in a process. What came of it is disposed in reverse order when it is deactivated, and also when
 *     `activate` fails halfway.
 */

import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Logger } from '../context/logger.ts';
import { MinitoolError, messageOf } from '../failure.ts';
import { type Beginning, protocolVersion } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import { createRuntime, type Runtime } from './create-context.ts';
import type { Entry } from './entry.ts';
import { createLogger } from './log.ts';

export type ServeOptions = {
  readonly peer: ToolPeer;
  readonly load: (main: string) => Promise<Entry>;
};

/** How long `deactivate` may take before its subscriptions are disposed all the same. The server waits 5 s for both. */
const deactivateMs = 4_000;

const within = async (ms: number, work: () => unknown): Promise<void> => {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${ms / 1_000} s`)), ms);
  try {
    await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
  }
};

type State = { readonly kind: 'waiting' } | { readonly kind: 'running'; readonly runtime: Runtime; readonly entry: Entry } | { readonly kind: 'ended' };

const dispose = async ({ ctx }: Runtime, logger: Logger): Promise<void> => {
  for (const subscription of ctx.subscriptions.splice(0).toReversed()) {
    try {
      await subscription?.dispose();
    } catch (error) {
      logger.error('A subscription could not be disposed:', error);
    }
  }
};

const hearEvents = (peer: ToolPeer, running: () => Runtime | undefined): void => {
  const told = <T>(event: JsonObject): T => event as unknown as T;
  peer.hear('event', (event) => running()?.events.tell(told(event)));
  peer.hear('agentEvent', (event) => running()?.agentEvents.tell(told(event)));
  peer.hear('status', (event) => running()?.status.tell(told(event)));
  peer.hear('notification', (event) => running()?.notifications.tell(told(event)));
  peer.hear('locale', ({ locale }) => running()?.setLocale(locale));
  peer.hear('contributions', ({ contributions }) => running()?.setContributions(contributions));
  peer.hear('capabilities', ({ names }) => running()?.setProvided(names));
};

const answerCalls = (peer: ToolPeer, running: () => Runtime): void => {
  peer.answer('ping', async () => null);
  peer.answer('execute', async (execution, signal) => running().tools.execute(execution, signal));
  peer.answer('discovery.search', async ({ handle, query, context }) => running().tools.search(handle, query, context));
  peer.answer('consume.deliver', async ({ name, event }) => running().consumers.run(name, event as never));
  peer.answer('webhooks.deliver', async ({ id, delivery }) => running().ingress.deliver(id, delivery));
  peer.answer('schedules.fire', async ({ id, fireId, slot }) => running().ingress.fire(id, fireId, slot));
  peer.answer('capabilities.call', async ({ name, method, args }) => running().capabilities.call(name, method, args));
};

/** The logger of the mini-tool that is served here. */
export const serveMinitool = ({ peer, load }: ServeOptions): { readonly logger: Logger } => {
  const logger = createLogger((level, message) => void peer.tell('log', { level, message }));
  let state: State = { kind: 'waiting' };

  const activate = async (beginning: Beginning): Promise<null> => {
    if (state.kind !== 'waiting') throw new MinitoolError('activation_failed', 'The process has been activated before');
    if (beginning.protocolVersion !== protocolVersion)
      throw new MinitoolError(
        'not_supported',
        `The server speaks version ${beginning.protocolVersion} of the protocol, this process version ${protocolVersion}`,
      );
    state = { kind: 'ended' };
    const entry = await load(beginning.main);
    const runtime = createRuntime(beginning, peer, logger);
    // Its tools can be called as soon as they are registered, which is before `activate` has returned.
    state = { kind: 'running', runtime, entry };
    try {
      await entry.activate(runtime.ctx);
    } catch (error) {
      logger.error('activate failed:', error);
      await dispose(runtime, logger);
      state = { kind: 'ended' };
      throw error instanceof MinitoolError ? error : new MinitoolError('activation_failed', `activate failed: ${messageOf(error)}`);
    }
    await runtime.settling.settled();
    runtime.setActive(true);
    return null;
  };

  const deactivate = async (): Promise<null> => {
    if (state.kind !== 'running') return null;
    const { runtime, entry } = state;
    runtime.setActive(false);
    try {
      await within(deactivateMs, () => entry.deactivate?.());
    } catch (error) {
      logger.error('deactivate failed:', error);
    }
    await dispose(runtime, logger);
    state = { kind: 'ended' };
    return null;
  };

  const running = (): Runtime | undefined => (state.kind === 'running' ? state.runtime : undefined);
  peer.answer('activate', activate);
  peer.answer('deactivate', deactivate);
  answerCalls(peer, () => {
    const runtime = running();
    if (!runtime) throw new MinitoolError('not_found', 'The mini-tool is not running');
    return runtime;
  });
  hearEvents(peer, running);
  peer.listen();
  return { logger };
};
