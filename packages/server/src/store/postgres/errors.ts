/**
 * What a failed statement means.
 *
 * Owns: telling what certainly did not commit from what may have (W8). An error that the server reports for a
 * statement of its own transaction means that the transaction is gone. Anything else after the statement was handed
 * to the socket (a lost connection, a server that goes down while it answers) leaves the outcome open.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

export type Failure =
  /** It did not commit, and the same statement may be tried at once: deadlock, serialization. */
  | 'again'
  /** It did not commit: the server cannot take it now (disk full, read only, no lock in time, too many connections). */
  | 'unavailable'
  /** It did not commit: this server takes no writes (any more). After a fail-over a new connection finds the one that does. */
  | 'elsewhere'
  /** It did not commit, and would not: something in it is wrong. */
  | 'refused'
  /** The connection is of no more use; the statement may have been committed. */
  | 'lost';

const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // SQLSTATE only: system errors (ECONNRESET, EPIPE) carry a code too.
  return 'severity' in error && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
};

export const failureOf = (error: unknown): Failure => {
  const code = codeOf(error);
  if (code === undefined) return 'lost';
  if (code === '40001' || code === '40P01') return 'again';
  // 57014 is a cancelled statement (time limit), which leaves the connection as it was; the rest of 57P0x ends it.
  if (code === '57014' || code === '55P03' || code.startsWith('53')) return 'unavailable';
  if (code === '25006') return 'elsewhere';
  if (code.startsWith('57P') || code.startsWith('08') || code.startsWith('58') || code === 'XX000' || code === '25P03') return 'lost';
  return 'refused';
};

export const unavailable = (cause: unknown, outcome?: 'unknown'): TurnkeeperError =>
  new TurnkeeperError('storage_unavailable', 'The database cannot be used now', outcome === undefined ? {} : { outcome }, { cause });

const refused = (cause: unknown): TurnkeeperError => new TurnkeeperError('internal_error', 'The database refused a statement', {}, { cause });

/** The error that a caller of a read gets. */
export const readError = (error: unknown): TurnkeeperError => (failureOf(error) === 'refused' ? refused(error) : unavailable(error));

/** The error that a caller of a change gets: when its answer was lost, that it may have been made all the same (W8). */
export const changeError = (error: unknown): TurnkeeperError => {
  switch (failureOf(error)) {
    case 'again':
    case 'unavailable':
    case 'elsewhere':
      return unavailable(error);
    case 'lost':
      return unavailable(error, 'unknown');
    case 'refused':
      return refused(error);
  }
};
