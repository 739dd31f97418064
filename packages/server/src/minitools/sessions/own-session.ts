/**
 * A mini-tool's own sessions, as it sees them.
 *
 * OS1 Another's session, one that is gone and one that never was are the same here: `not_found`. What its sessions delegated to is none of
 *     its own either.
 */
import { findSession, sessionGone } from '../../app/find-session.ts';
import type { FrozenConfig } from '../../app/frozen-config.ts';
import { isChild } from '../../app/is-child.ts';
import type { Lane, Session } from '../../app/lane.ts';
import { defaultSpace } from '../../app/spaces.ts';
import type { SessionRow } from '../../ports/session-store.ts';
import type { AskingMinitool } from '../host-api.ts';
import { callerOf, type SessionServices } from './services.ts';

type Placement =
  | { readonly type: 'minitool'; readonly minitoolId: string; readonly containerId: string }
  | { readonly type: 'space'; readonly spaceId: string };

export type Descriptor = {
  readonly sessionId: string;
  readonly owner: { readonly type: 'minitool'; readonly minitoolId: string };
  readonly placement: Placement;
  readonly activity: 'interactive' | 'background';
  readonly contextSpaceId?: string;
  readonly state: { readonly pinned: boolean; readonly archived: boolean };
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const containerPlacement = (minitoolId: string, containerId: string): string => `container:${minitoolId}/${containerId}`;
export const spacePlacement = (spaceId: string): string => `space:${spaceId}`;

/** The container that a session of the mini-tool stands in; undefined where it stands in a space. */
export const containerOf = (minitoolId: string, placement: string): string | undefined => {
  const prefix = containerPlacement(minitoolId, '');
  return placement.startsWith(prefix) ? placement.slice(prefix.length) : undefined;
};

/** The space whose people see a session, where it is one that has people. */
export const sharedSpaceOf = (placement: string): string | undefined => {
  const space = placement.startsWith('space:') ? placement.slice('space:'.length) : defaultSpace;
  return space === defaultSpace ? undefined : space;
};

const iso = (at: number): string => new Date(at).toISOString();

export const descriptorOf = (minitoolId: string, row: SessionRow, { minitool }: Pick<FrozenConfig, 'minitool'>): Descriptor => {
  const containerId = containerOf(minitoolId, row.placement);
  return {
    sessionId: row.id,
    owner: { type: 'minitool', minitoolId },
    placement: containerId === undefined ? { type: 'space', spaceId: row.placement.slice('space:'.length) } : { type: 'minitool', minitoolId, containerId },
    activity: minitool?.activity ?? 'interactive',
    ...(minitool?.contextSpace === undefined ? {} : { contextSpaceId: minitool.contextSpace }),
    state: { pinned: false, archived: row.archivedAt !== null },
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
};

type Use = 'read' | 'invoke' | 'interact' | 'cancel';

/** Throws `not_found` (OS1). */
export const ownSession = async (
  { app }: Pick<SessionServices, 'app'>,
  minitool: Pick<AskingMinitool, 'id' | 'name'>,
  sessionId: string,
  use: Use = 'read',
): Promise<{ readonly lane: Lane; readonly session: Session }> => {
  const found = await findSession(app, callerOf(minitool), sessionId, use);
  if (isChild(found.session.row)) throw sessionGone();
  return found;
};
