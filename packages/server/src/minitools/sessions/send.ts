/**
 * `ctx.sessions.send`.
 *
 * MN1 Looked at in this order: permission, ownership, arguments, the key, archived, quota. A repeat is answered whatever has become of
 *     the session meanwhile, by the receipt of then; what is rejected is not remembered.
 * MN2 A full queue is an answer, not an error.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SubmitRequest, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionSendReceipt } from '@turnkeeper/minitool/context/sessions';
import { ownerOf } from '../../app/caller.ts';
import { type KeyedCall, keyedCall } from '../../app/idempotency.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import type { Receipt } from '../../ports/session-store.ts';
import type { AskingMinitool } from '../host-api.ts';
import * as take from './arguments.ts';
import { contentOf, placeFiles, type ReadAttachment, withAttachments } from './attachments.ts';
import { ownSession } from './own-session.ts';
import { callerOf, type SessionServices } from './services.ts';

export type SendReceipt = SessionSendReceipt;
type Accepted = Extract<SendReceipt, { readonly state: 'accepted' | 'duplicate' }>;

export const sendOwn = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<SendReceipt> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  await ownSession(services, minitool, sessionId, 'invoke');
  const message = take.readArgument(take.message, args[1], 'message');
  take.readArgument(take.sendOptions, args[2], 'options');
  return withAttachments(services, minitool, message, 'message', (attachments) =>
    sendMessage(services, minitool, sessionId as SessionId, message, attachments),
  );
};

const accepted = (state: Accepted['state'], { sessionId, id, queuePosition }: TurnReceipt, clientMessageId: string): Accepted => {
  const ahead = queuePosition ?? 0;
  return { sessionId, turnId: id, clientMessageId, state, queued: ahead > 0, pendingCount: ahead + 1, queuePosition: ahead };
};

export const sendMessage = async (
  services: SessionServices,
  minitool: AskingMinitool,
  sessionId: SessionId,
  message: take.Message,
  attachments: readonly ReadAttachment[],
): Promise<SendReceipt> => {
  const { app } = services;
  const caller = callerOf(minitool);
  const key = message.idempotencyKey;
  const content = contentOf(message, attachments);
  const call = keyedCall(ownerOf(caller), 'submit', sessionId, key, content);
  const before = await app.sessions.store.receipt(call.scope, call.key);
  if (before) return duplicate(minitool, call, before);
  const { session } = await ownSession(services, minitool, sessionId, 'invoke');
  const files = await placeFiles(app, message, attachments, { sessionId, model: session.config.target.definition.model, ahead: false });
  const body = { input: [files.message], ...(message.metadata === undefined ? {} : { metadata: message.metadata }) } as SubmitRequest;
  try {
    const { answer, replayed } = await submitTurn(app, caller, sessionId, body, key, content);
    if (!replayed) return accepted('accepted', answer, key);
    await files.discard();
    return accepted('duplicate', answer, key);
  } catch (error) {
    // Files that came with a message that was not accepted are nobody's.
    if (!isUnknown(error)) await files.discard().catch(() => {});
    return refusedOr(services, minitool, call, sessionId, error);
  }
};

const isUnknown = (error: unknown): boolean => error instanceof TurnkeeperError && error.details['outcome'] === 'unknown';

/** Said in the mini-tool's own log: an edited message is not sent a second time, and not swallowed in silence. */
export const warnOfOther = ({ log }: Pick<AskingMinitool, 'log'>, key: string): void =>
  log('warn', `A message with the key ${JSON.stringify(key)} was sent before with other content: it was not sent again.`);

const duplicate = (minitool: AskingMinitool, { key, hash }: KeyedCall, receipt: Receipt): Accepted => {
  const answer = accepted('duplicate', JSON.parse(receipt.answer) as TurnReceipt, key);
  if (receipt.hash === hash) return answer;
  warnOfOther(minitool, key);
  return { ...answer, contentDiffers: true };
};

const refusedOr = async ({ app }: SessionServices, minitool: AskingMinitool, call: KeyedCall, sessionId: string, error: unknown): Promise<SendReceipt> => {
  if (!(error instanceof TurnkeeperError)) throw error;
  if (error.code === 'idempotency_conflict') {
    const twin = await app.sessions.store.receipt(call.scope, call.key);
    if (twin) return duplicate(minitool, call, twin);
  }
  if (error.code !== 'queue_full') throw error;
  const { scope, pending_count, limit, retry_after_ms } = error.details;
  return {
    sessionId,
    state: 'rejected',
    queued: false,
    code: 'queue_full',
    scope: scope === 'session' ? 'session' : 'minitool',
    pendingCount: Number(pending_count),
    limit: Number(limit),
    retryAfterMs: Number(retry_after_ms),
  };
};
