/**
 * Members of `ctx` that have no place on a server yet: what is registered there is kept by nobody, and a mini-tool runs all the same.
 * Each says so in the log once.
 */

import type { Logger } from '../context/logger.ts';
import type { OAuth, OAuthProviderConfig, OAuthStatus } from '../context/oauth.ts';
import type { Updatable } from '../context.ts';
import { MinitoolError } from '../failure.ts';
import { notOnServer } from './ui-api.ts';

export type NoPlace = {
  /** A registration that works as a handle and does nothing else. */
  readonly register: (member: string) => Updatable;
  readonly oauth: OAuth;
  /** Any use of it throws. */
  readonly commands: undefined;
};

const notConnected = (provider: OAuthProviderConfig): OAuthStatus => ({ providerId: String(provider?.id ?? ''), connected: false, scopes: [] });

const createOAuth = (say: (member: string) => void): OAuth => {
  const refuse = async (): Promise<never> => {
    say('oauth');
    throw new MinitoolError('not_supported', 'ctx.oauth cannot connect to anything here yet');
  };
  return {
    connect: refuse,
    initiateAuthorization: refuse,
    authorize: refuse,
    request: refuse,
    getStatus: async (provider) => {
      say('oauth');
      return notConnected(provider);
    },
    disconnect: async () => say('oauth'),
  };
};

/** Looks like nothing to who only looks at it in a log, and throws when a member of it is used. */
const commandsThatThrow = (): undefined =>
  new Proxy(Object.create(null) as object, {
    get: (_, member) => {
      if (typeof member === 'symbol' || member === 'then' || member === 'toJSON') return undefined;
      throw notOnServer(`commands.${member}`);
    },
  }) as unknown as undefined;

export const createNoPlace = (logger: Logger): NoPlace => {
  const said = new Set<string>();
  const say = (member: string): void => {
    if (said.has(member)) return;
    said.add(member);
    logger.info(`ctx.${member} has no place on this server yet: what is registered there is not shown`);
  };
  return {
    register: (member) => {
      say(member);
      return { dispose: () => {}, notifyUpdate: () => {} };
    },
    oauth: createOAuth(say),
    commands: commandsThatThrow(),
  };
};
