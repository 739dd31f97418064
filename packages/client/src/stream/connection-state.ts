/** Where a watched stream stands. A value, so that a page can show it as it is. */
import type { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Cut off; what is shown may be behind. The turn on the server goes on all the same. */
  | { readonly kind: 'reconnecting'; readonly attempt: number; readonly reason: string }
  /** For good: closed by the caller, or refused by the server (`error`). */
  | { readonly kind: 'closed'; readonly error?: TurnkeeperError };

/** What to do after a stream or a snapshot has failed. */
export type AfterFailure = 'stop' | 'reload' | 'retry';

/**
 * Refusals that repeating cannot change stop. A cursor that the server no longer knows (pruned, or of a store that was
 * put back from a backup) means: read the snapshot again. All else is tried again.
 */
export const afterFailure = (error: unknown): AfterFailure => {
  const { code, details } = error as { readonly code?: string; readonly details?: { readonly status?: unknown } };
  switch (code) {
    case 'cursor_expired':
    case 'cursor_ahead':
    case 'invalid_cursor':
      return 'reload';
  }
  const status = details?.status;
  return status === 401 || status === 403 || status === 404 ? 'stop' : status === 410 ? 'reload' : 'retry';
};
