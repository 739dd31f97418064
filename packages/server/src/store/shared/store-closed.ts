/**
 * What a store that was closed says to reads and writes. Not `storage_unavailable`, after which a fact is tried again
 * until the store has recovered: this one does not come back.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

export const storeClosed = (cause?: unknown): TurnkeeperError => new TurnkeeperError('shutting_down', 'The store is closed.', {}, { cause });
