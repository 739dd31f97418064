/**
 * Use case: a mini-tool opens a session of its own, at will with its first turn, atomically.
 *
 * MC1 With a message both exist or neither does; the message's key names both within the mini-tool and the placement, and the turn
 *     among the session's.
 * MC2 An external key names one session of the mini-tool, whoever asks first: whoever comes later gets that one, and its message is
 *     one more of that session. With another placement it is an `idempotency_conflict`; so is a new one with a message's key under which
 *     a session was made for another, or for none: nobody is given somebody else's session.
 * MC3 A key that was used with other content is no conflict here: what it was used for is answered, and told to differ.
 * MC4 Files of the message are put where the session will have them before it is made; a session that is not made leaves none. One
 *     that is there, or may be, keeps them, and is answered whatever becomes of them.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { Receipt, ReceiptWrite, SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { type MinitoolCaller, ownerOf } from './caller.ts';
import { configRef, createAsk, type FrozenConfig } from './frozen-config.ts';
import { type KeyedCall, keyedCall, receiptOf } from './idempotency.ts';
import { outcomeUnknown } from './lane.ts';
import { ownerFull, type Plan } from './lane-batch.ts';
import { newSession } from './new-session.ts';
import { thrown } from './run-job.ts';
import { turnReceipt } from './session-resource.ts';
import { submitterOf } from './submitter.ts';
import { acceptedInput, titleFrom } from './turn-input.ts';
import { workspaceReceipts } from './workspace-of.ts';

/** Files that were put where a session will have them; `ensure` puts back what was swept away before the session was there. */
export type PlacedFiles = { readonly message: UserMessage; readonly ensure: () => Promise<void>; readonly discard: () => Promise<void> };

export type FirstMessage = {
  readonly key: string;
  /** By what a repeat is told from other content. */
  readonly content: unknown;
  readonly metadata: JsonObject | undefined;
  /** Puts its files into the session that will have this id, and gives what is said. */
  readonly place: (sessionId: SessionId, model: string) => Promise<PlacedFiles>;
  /** Told where the session is there and its files could not be looked after: some of them may be missing. */
  readonly unsure: () => void;
};

export type MinitoolSessionWanted = {
  /** `container:<minitool>/<container>` or `space:<id>`. */
  readonly placement: string;
  readonly title: string | undefined;
  readonly externalKey: string | undefined;
  readonly message: FirstMessage | undefined;
  /** Asked only where a session is to be made, after `config`: what must be there before the session is. */
  readonly before: (sessionId: SessionId) => Promise<void>;
  /** Asked only where a session is to be made. */
  readonly config: () => Promise<FrozenConfig>;
};

/** `turnId` undefined: the session was there already, and the message is not in it yet (MC2). */
export type MinitoolSessionMade = {
  readonly sessionId: SessionId;
  readonly turnId: TurnId | undefined;
  readonly created: boolean;
  readonly contentDiffers: boolean;
};

type Kept = { readonly sessionId: SessionId; readonly turnId?: TurnId; readonly externalKey?: string };
type Calls = { readonly external: KeyedCall | undefined; readonly first: KeyedCall | undefined };

const callsOf = (owner: string, { placement, externalKey, message }: MinitoolSessionWanted): Calls => ({
  external: externalKey === undefined ? undefined : keyedCall(owner, 'create', 'external', externalKey, { placement }),
  first: message && keyedCall(owner, 'create', placement, message.key, message.content),
});

/**
 * Throws `idempotency_conflict` (MC2), `queue_full`, `payload_too_large`, and what `config` and `place` throw; of a caller's context
 * nothing is known here.
 */
export const createMinitoolSession = async (app: App, caller: MinitoolCaller, wanted: MinitoolSessionWanted): Promise<MinitoolSessionMade> => {
  const owner = ownerOf(caller);
  const calls = callsOf(owner, wanted);
  const before = await earlier(app, calls);
  if (before) return before;
  await app.sessions.limits.ready(owner);
  const config = await wanted.config();
  const sessionId = app.ids.session();
  await wanted.before(sessionId);
  const files = await wanted.message?.place(sessionId, config.target.definition.model);
  const discard = async (): Promise<void> => files?.discard().catch(() => {});
  let made: MinitoolSessionMade | undefined;
  try {
    made = await make(app, { wanted, caller, calls, config, sessionId, said: files?.message });
  } catch (error) {
    // Where nobody knows, the session may be there and have them.
    if (!outcomeUnknown(error)) await discard();
    throw error;
  }
  if (made) {
    await files?.ensure().catch(() => wanted.message?.unsure());
    return made;
  }
  // Its twin was faster: what it made is answered.
  await discard();
  const twin = await earlier(app, calls);
  if (twin) return twin;
  throw new TurnkeeperError('internal_error', 'A key was taken, and nothing is there that took it.');
};

/** What was made under these keys. The external one comes first: it names the session whatever the message. */
const earlier = async (app: App, { external, first }: Calls): Promise<MinitoolSessionMade | undefined> => {
  const { store } = app.sessions;
  const [named, said] = await Promise.all([external && store.receipt(external.scope, external.key), first && store.receipt(first.scope, first.key)]);
  if (external && named) {
    if (named.hash !== external.hash)
      throw new TurnkeeperError('idempotency_conflict', 'The external key names a session that stands elsewhere.', { sessionId: keptOf(named).sessionId });
    const { sessionId } = keptOf(named);
    return { sessionId, created: false, turnId: undefined, contentDiffers: false };
  }
  if (!first || !said) return undefined;
  const { sessionId, turnId, externalKey } = keptOf(said);
  if (external && externalKey !== external.key)
    throw new TurnkeeperError('idempotency_conflict', 'The key of the message was used for a session without this external key.', { sessionId });
  return { sessionId, turnId, created: false, contentDiffers: said.hash !== first.hash };
};

const keptOf = ({ answer }: Receipt): Kept => JSON.parse(answer) as Kept;

type Making = {
  readonly wanted: MinitoolSessionWanted;
  readonly caller: MinitoolCaller;
  readonly calls: Calls;
  readonly config: FrozenConfig;
  readonly sessionId: SessionId;
  readonly said: UserMessage | undefined;
};

/** Undefined where one of the keys was taken meanwhile. */
const make = async (app: App, making: Making): Promise<MinitoolSessionMade | undefined> => {
  const { wanted, caller, calls, config, sessionId, said } = making;
  const owner = ownerOf(caller);
  const { message, placement } = wanted;
  const at = app.clock.now();
  const turnId = app.ids.turn();
  const input = said && acceptedInput({ input: [said] });
  const row: Omit<SessionRow, 'sid'> = {
    ...{
      id: sessionId,
      owner,
      root: sessionId,
      path: '',
      placement,
      configRef: configRef(config),
      title: wanted.title ?? (input ? titleFrom(input, config.target.name) : ''),
    },
    ...{ metadata: '{}', status: 'idle', archivedAt: null, deletedAt: null, createdAt: at, updatedAt: at },
  };
  const metadata = message?.metadata === undefined ? {} : { metadata: message.metadata };
  const plan: Plan = input
    ? {
        asks: [createAsk(config), { type: 'submit', turnId, preview: input.preview, ...metadata, submitter: submitterOf(caller) }],
        input: { turnId, messages: input.messages },
        adopt: true,
      }
    : { asks: [createAsk(config)] };
  const { externalKey } = wanted;
  const kept: Kept = { sessionId, ...(input ? { turnId } : {}), ...(externalKey === undefined ? {} : { externalKey }) };
  const receipts = (): readonly ReceiptWrite[] => [
    ...(calls.external ? [receiptOf(calls.external, kept, at)] : []),
    ...(calls.first ? [receiptOf(calls.first, kept, at)] : []),
    ...(message ? [turnReceiptOf(owner, message, sessionId, turnReceipt(sessionId, turnId, at, 0))] : []),
    ...workspaceReceipts({ row, config }, at),
  ];
  const { session, prepared } = newSession(app, { row, config, plan, receipts });
  const result = await app.sessions.create(session, { config, batch: prepared.batch });
  if (result.ok) return { sessionId, turnId: input ? turnId : undefined, created: true, contentDiffers: false };
  if (result.reason === 'receipt') return undefined;
  if (result.reason === 'quota') throw thrown(ownerFull(owner, app.sessions.limits.of(owner)?.unfinished ?? 0, result.count));
  throw new TurnkeeperError('internal_error', `A new session was refused: ${result.reason}.`);
};

/** Under its key the message is the session's, too: sent again, it is answered as its repeat (MC1). */
const turnReceiptOf = (owner: string, { key, content }: FirstMessage, sessionId: SessionId, answer: TurnReceipt): ReceiptWrite =>
  receiptOf(keyedCall(owner, 'submit', sessionId, key, content), answer, answer.createdAt);
