/** Use case: what this server is and how it is, for admins. */
import type { ServerInfo } from '@turnkeeper/core/protocol/wire/server';
import { requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

/** What does not change while it runs. */
export type ServerFacts = Pick<ServerInfo, 'version' | 'pid' | 'dataFolder' | 'store' | 'startedAt' | 'retention'>;

export type ServerState = {
  readonly providers: () => ServerInfo['providers'];
  readonly facts: ServerFacts;
  readonly health: () => Promise<{ readonly ready: boolean; readonly detail?: string }>;
  readonly openStreams: () => number;
};

/** Throws `forbidden`. */
export const readServer = async (app: App, caller: Caller, { facts, providers, health, openStreams }: ServerState): Promise<ServerInfo> => {
  requireAdmin(caller, 'look into the server');
  const { ready, detail } = await health();
  return { ...facts, providers: providers(), ready, detail: detail ?? null, now: app.clock.now(), openStreams: openStreams() };
};
