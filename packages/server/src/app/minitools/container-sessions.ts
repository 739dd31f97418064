/** Use cases: people in the containers of mini-tools: they open sessions there, and look at what is new. */
import { createHash } from 'node:crypto';
import { codePoints } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { ContainerSessionRequest } from '@turnkeeper/core/protocol/wire/minitools';
import type { CreatedSession } from '@turnkeeper/core/protocol/wire/sessions';
import { type Caller, ownerOf } from '../caller.ts';
import { findSession } from '../find-session.ts';
import { readSession } from '../read-sessions.ts';
import { findMinitool, isUser } from './find-minitool.ts';
import type { MinitoolServices } from './minitool-services.ts';

/** People's keys, and those of the mini-tool itself, are never the same. */
const keyOf = (caller: Caller, key: string): string =>
  createHash('sha256')
    .update(`${ownerOf(caller)} ${key}`)
    .digest('base64url');

/**
 * A session of the mini-tool, which its people control as if it were theirs. Without a key each call opens another one.
 * Throws `not_found` for a container that is not there, `not_supported` for one that only the mini-tool opens sessions in.
 */
export const openContainerSession = async (
  services: MinitoolServices,
  caller: Caller,
  { id, containerId }: { readonly id: string; readonly containerId: string },
  body: ContainerSessionRequest,
  key: string | undefined,
): Promise<CreatedSession> => {
  const { user, row } = await findMinitool(services, caller, id);
  const { app, minitools } = services;
  const { containers } = await minitools.host.describe(row, 'en-US');
  if (!isUser(user, row)) throw new TurnkeeperError('forbidden', 'Only users of the mini-tool open sessions there. An admin may become one of them.');
  const container = containers.find((each) => each.id === containerId);
  if (!container) throw new TurnkeeperError('not_found', 'There is no such container.');
  if (container.mode !== 'assistant') throw new TurnkeeperError('not_supported', 'Only the mini-tool opens sessions in this container.');
  if (row.status !== 'enabled') throw new TurnkeeperError('not_supported', 'The mini-tool is not enabled.');
  if (key !== undefined && (key.trim() === '' || codePoints(key) > limits.idempotencyKeyCharacters))
    throw new TurnkeeperError(
      'invalid_idempotency_key',
      `The Idempotency-Key must have 1 to ${limits.idempotencyKeyCharacters} characters and must not be blank.`,
    );
  const { sessionId, turnId } = await minitools.host.openSession(id, {
    containerId,
    ...(body.title === undefined ? {} : { title: body.title }),
    ...(body.initialMessage === undefined ? {} : { text: body.initialMessage.message }),
    key: keyOf(user, key ?? app.ids.next('key')),
  });
  return { ...(await readSession(app, user, sessionId)), ...(turnId === undefined ? {} : { turnId }) };
};

/** Somebody who controls the session has looked: its unread mark goes. Nothing where there was none. */
export const markSeen = async (services: MinitoolServices, caller: Caller, sessionId: string): Promise<void> => {
  const { session } = await findSession(services.app, caller, sessionId, 'manage');
  await services.minitools.store.unmark(session.row.id);
};
