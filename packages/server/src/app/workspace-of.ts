/** In whose workspace a session works (L9): the one place that says it. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import { workspaceUse } from '../ports/file-index.ts';
import type { ReceiptWrite, SessionRow } from '../ports/session-store.ts';
import type { FrozenConfig } from './frozen-config.ts';

type Working = { readonly row: Pick<SessionRow, 'id'>; readonly config: Pick<FrozenConfig, 'minitool'> };

/** The session whose files it is: itself, but for one that was made with another's context. */
export const workspaceOf = ({ row, config }: Working): SessionId => config.minitool?.workspace ?? row.id;

/** What a session is made with, so that the workspace stays while it is there (FB10). */
export const workspaceReceipts = (working: Working, at: number): readonly ReceiptWrite[] => {
  const owner = workspaceOf(working);
  return owner === working.row.id ? [] : [{ scope: workspaceUse(owner), key: working.row.id, hash: '', answer: '{}', at }];
};
