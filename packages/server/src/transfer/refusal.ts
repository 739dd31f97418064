/** Why a move, a backup or a restore is not done. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

export type Reason = 'in_use' | 'missing' | 'not_empty' | 'other_release' | 'changed' | 'differs' | 'damaged' | 'exists' | 'not_writable' | 'unfinished_copy';

/** `reason` tells them apart; the message says what to do. */
export const refusal = (reason: Reason, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown): TurnkeeperError =>
  new TurnkeeperError('storage_unavailable', message, { reason, ...details }, cause === undefined ? {} : { cause });
