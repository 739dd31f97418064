/** Who asks. */

import type { ClientScope } from '@turnkeeper/core/protocol/wire/client-tokens';
import type { TargetGrant } from '@turnkeeper/core/protocol/wire/identity';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ApplicationRole } from '../ports/catalog.ts';

type Credential = {
  /** The id of the token or key that was used; null inside the server. */
  readonly credentialId: string | null;
  /** The address that the request came from. */
  readonly address?: string;
};

export type UserCaller = Credential & {
  readonly type: 'user';
  readonly id: string;
  readonly name: string;
  readonly admin: boolean;
  /** Spaces that the user is a member of. */
  readonly spaces: ReadonlyMap<string, 'manager' | 'member'>;
  /** Applications that the user is a member of, and as what. */
  readonly applications: ReadonlyMap<string, readonly ApplicationRole[]>;
  /** Mini-tools that the user may use: what is theirs is as the user's own. */
  readonly minitools: ReadonlySet<string>;
};

/** One of an application's keys. `id` is the application's: keys come and go, what they made stays its own. */
export type ApplicationCaller = Credential & {
  readonly type: 'application';
  readonly id: string;
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  readonly targets: readonly TargetGrant[];
};

/** A browser, by a token that was made for it and for one session (client-reach.ts). */
export type ClientCaller = Credential & {
  readonly type: 'client';
  readonly id: string;
  readonly name: string;
  readonly sessionId: SessionId;
  readonly scopes: ReadonlySet<ClientScope>;
  /** Who made the token, as it stands now: the token does nothing that its issuer may not. */
  readonly issuer: UserCaller | ApplicationCaller;
  /** Hash of the credential that it was made with, and ends with. */
  readonly issuerHash: string;
  /** When it ends by itself (Unix ms). */
  readonly expiresAt: number;
};

/** A mini-tool, by its host: it has its own sessions and nobody else's. */
export type MinitoolCaller = Credential & { readonly type: 'minitool'; readonly id: string; readonly name: string };

export type Caller = UserCaller | ApplicationCaller | ClientCaller | MinitoolCaller;

export const isClient = (caller: Caller): caller is ClientCaller => caller.type === 'client';

/**
 * The owner under which what this caller makes is kept: `user:<id>`, `app:<id>` or `minitool:<id>`. All clients of one issuer have one name, which
 * owns nothing: a browser whose token was renewed is still answered what it was answered before.
 */
export const ownerOf = (caller: Caller): string => {
  switch (caller.type) {
    case 'user':
      return `user:${caller.id}`;
    case 'application':
      return `app:${caller.id}`;
    case 'minitool':
      return `minitool:${caller.id}`;
    case 'client':
      return `client:${ownerOf(caller.issuer)}`;
  }
};

/** Whose credential it is: `user:<id>` or `app:<id>`. */
export const holderOf = (caller: Caller): string => ownerOf(isClient(caller) ? caller.issuer : caller);
