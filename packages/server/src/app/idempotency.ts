/**
 * Calls that are told apart by a key of the caller.
 *
 * I2 Scope is owner + operation + session; the turn that is meant is content. The key is looked up before state and
 *    quotas; same content gives the original answer, other content `idempotency_conflict` (semantics, section 3).
 * I3 The receipt is written in the same commit as its effect: a refused call leaves none.
 */
import { createHash } from 'node:crypto';
import { codePoints } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Receipt, ReceiptWrite, SessionStore } from '../ports/session-store.ts';

export type Keyed<Answer> = { readonly answer: Answer; readonly replayed: boolean };
export type Operation =
  | 'create'
  | 'submit'
  | 'actions'
  | 'cancel'
  | 'resume'
  | 'steer'
  | 'pause'
  | 'inject'
  | 'unqueue'
  | 'upload'
  | 'artifacts'
  | 'webhooks'
  | 'schedules'
  | 'restore_context'
  | 'fork';

/** One keyed call: how its receipt is written, and how an earlier one is answered again. */
export type KeyedCall = { readonly scope: string; readonly key: string; readonly hash: string };

export const keyedCall = (owner: string, operation: Operation, subject: string, key: string, content: unknown): KeyedCall => {
  if (key.trim() === '' || codePoints(key) > limits.idempotencyKeyCharacters) {
    throw new TurnkeeperError(
      'invalid_idempotency_key',
      `The Idempotency-Key must have 1 to ${limits.idempotencyKeyCharacters} characters and must not be blank.`,
      { limit: limits.idempotencyKeyCharacters },
    );
  }
  const hash = createHash('sha256').update(canonicalJson(content)).digest('base64url');
  return { scope: `${owner}|${operation}|${subject}`, key, hash };
};

/** The key that a caller must give; throws `idempotency_key_required` without one. */
export const requiredKey = (key: string | undefined): string => {
  if (key === undefined)
    throw new TurnkeeperError('idempotency_key_required', 'Send an Idempotency-Key header: a stable id of this one request, the same on every retry.');
  return key;
};

export const receiptOf = (call: KeyedCall, answer: unknown, at: number): ReceiptWrite => ({ ...call, answer: JSON.stringify(answer), at });

/** The original answer, or a conflict when the key was used with other content. */
export const replayed = <Answer>(call: KeyedCall, receipt: Receipt): Keyed<Answer> => {
  if (receipt.hash !== call.hash)
    throw new TurnkeeperError('idempotency_conflict', 'This Idempotency-Key was used with other content. Use a new key for a new request.');
  return { answer: JSON.parse(receipt.answer) as Answer, replayed: true };
};

export const earlier = async <Answer>(store: SessionStore, call: KeyedCall): Promise<Keyed<Answer> | undefined> => {
  const receipt = await store.receipt(call.scope, call.key);
  return receipt && replayed<Answer>(call, receipt);
};
