/** `ctx.sessions.create`. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { createMinitoolSession, type FirstMessage, type MinitoolSessionMade } from '../../app/create-minitool-session.ts';
import { defaultSpace } from '../../app/spaces.ts';
import type { AskingMinitool, CallInProgress } from '../host-api.ts';
import { type CreateOptions, createOptions, invalid, type Message, readArgument } from './arguments.ts';
import { contentOf, placeFiles, type ReadAttachment, withAttachments } from './attachments.ts';
import { callerUnavailable, frozenSession } from './frozen-session.ts';
import { containerPlacement, type Descriptor, descriptorOf, ownSession, spacePlacement } from './own-session.ts';
import { sendMessage, warnOfOther } from './send.ts';
import { callerOf, type SessionServices } from './services.ts';

export type Created = Descriptor & { readonly turnId?: string; readonly created?: boolean; readonly contentDiffers?: true };

/** A space that one of the mini-tool's people belongs to; another is not there. */
const spaceOf = async ({ app }: SessionServices, { row }: AskingMinitool, id: string): Promise<string> => {
  if (id === defaultSpace) return id;
  const { catalog } = app;
  if (await catalog.space(id)) {
    for (const userId of row.users) {
      const [user, spaces] = await Promise.all([catalog.user(userId), catalog.spacesOf(userId)]);
      if (user?.status === 'active' && (user.roles.includes('admin') || spaces.some(({ spaceId }) => spaceId === id))) return id;
    }
  }
  throw new TurnkeeperError('not_found', 'There is no such space.', { member: 'options.space.spaceId' });
};

const placementOf = async (services: SessionServices, minitool: AskingMinitool, { containerId, space }: CreateOptions): Promise<string> => {
  if (containerId === undefined) return spacePlacement(await spaceOf(services, minitool, space?.spaceId ?? defaultSpace));
  requireContainer(minitool, containerId);
  return containerPlacement(minitool.id, containerId);
};

/** Throws `invalid_argument` where the manifest has no such container. */
export const requireContainer = ({ manifest }: Pick<AskingMinitool, 'manifest'>, containerId: string): void => {
  const declared = manifest.contributes.sessionContainers.map(({ id }) => id);
  if (declared.includes(containerId)) return;
  const there = declared.length === 0 ? 'the manifest declares none' : `there is ${declared.join(', ')}`;
  throw invalid(`options.containerId: "${containerId}" is not in contributes.sessionContainers: ${there}`, { member: 'options.containerId' });
};

const firstMessage = ({ app }: SessionServices, { log }: AskingMinitool, message: Message, attachments: readonly ReadAttachment[]): FirstMessage => ({
  key: message.idempotencyKey,
  content: contentOf(message, attachments),
  metadata: message.metadata as JsonObject | undefined,
  place: (sessionId, model) => placeFiles(app, message, attachments, { sessionId, model, ahead: true }),
  unsure: () => log('warn', `The session was made; whether it has the files of the message ${JSON.stringify(message.idempotencyKey)} could not be seen.`),
});

/** Whatever fails, no session is there afterwards that was not before. */
export const createOwn = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[], call?: CallInProgress): Promise<Created> => {
  const options = readArgument(createOptions, args[0], 'options');
  const { initialMessage: message } = options;
  if (options.profileId !== undefined)
    minitool.log('warn', 'ctx.sessions.create: profileId is ignored; a container names its profile in the manifest (agentProfile).');
  if (options.context === 'caller' && !call) throw callerUnavailable();
  const caller = options.context === 'caller' ? call : undefined;
  const placement = await placementOf(services, minitool, options);
  const wanted = { options, placement, caller };
  if (!message) return createWith(services, minitool, wanted, []);
  return withAttachments(services, minitool, message, 'options.initialMessage', (attachments) => createWith(services, minitool, wanted, attachments));
};

type Wanted = { readonly options: CreateOptions; readonly placement: string; readonly caller: CallInProgress | undefined };

const createWith = async (
  services: SessionServices,
  minitool: AskingMinitool,
  { options, placement, caller }: Wanted,
  attachments: readonly ReadAttachment[],
): Promise<Created> => {
  const { initialMessage: message, externalKey } = options;
  const made = await createMinitoolSession(services.app, callerOf(minitool), {
    placement,
    title: options.title,
    externalKey,
    message: message && firstMessage(services, minitool, message, attachments),
    config: () => frozenSession(services, minitool, options, caller),
    before: async (sessionId) => {
      if (caller) await services.app.budgets.link(sessionId, caller);
    },
  });
  const { sessionId } = made;
  const turn = message && (await turnOf(services, minitool, made, message, attachments));
  const { session } = await ownSession(services, minitool, sessionId);
  return {
    ...descriptorOf(minitool.id, session.row, session.config),
    ...(turn ? { turnId: turn.turnId } : {}),
    ...(externalKey === undefined ? {} : { created: made.created }),
    ...(turn?.contentDiffers ? { contentDiffers: true as const } : {}),
  };
};

type Turn = { readonly turnId: string; readonly contentDiffers: boolean };

/** A session that its external key found gets the message as one more; a full queue refuses it. */
const turnOf = async (
  services: SessionServices,
  minitool: AskingMinitool,
  { sessionId, turnId, contentDiffers }: MinitoolSessionMade,
  message: Message,
  attachments: readonly ReadAttachment[],
): Promise<Turn> => {
  if (turnId !== undefined) {
    if (contentDiffers) warnOfOther(minitool, message.idempotencyKey);
    return { turnId, contentDiffers };
  }
  const receipt = await sendMessage(services, minitool, sessionId, message, attachments);
  if (receipt.state === 'rejected') {
    const { scope, limit, pendingCount, retryAfterMs } = receipt;
    throw new TurnkeeperError('queue_full', `There are ${pendingCount} unfinished turns; the limit is ${limit}.`, { scope, limit, pendingCount, retryAfterMs });
  }
  return { turnId: receipt.turnId, contentDiffers: receipt.contentDiffers === true };
};
