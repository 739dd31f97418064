/** What the methods of `ctx.sessions` work with. */
import type { Locale } from '@turnkeeper/minitool/messages';
import type { App } from '../../app/app.ts';
import type { MinitoolCaller } from '../../app/caller.ts';
import { type AskingMinitool, MinitoolFailure } from '../host-api.ts';
import type { AttachmentRoom } from './attachment-room.ts';

export type SessionServices = {
  readonly app: App;
  /** The language of mini-tools in this installation. */
  readonly locale: () => Locale;
  /** Reads what a session's log has beyond what is among the mini-tool's events. */
  readonly catchUp: (sid: number) => Promise<void>;
  /** For what messages attach, while they are dealt with. */
  readonly room: AttachmentRoom;
};

export const callerOf = ({ id, name }: Pick<AskingMinitool, 'id' | 'name'>): MinitoolCaller => ({ type: 'minitool', id, name, credentialId: null });

/** Throws `permission_denied` naming the field that the manifest lacks. */
export const requirePermission = ({ manifest }: Pick<AskingMinitool, 'manifest'>, field: 'sessions' | 'sessionInteractions'): void => {
  if (!manifest.permissions[field])
    throw new MinitoolFailure('permission_denied', `The manifest lacks permissions.${field}.`, { field: `permissions.${field}` });
};
