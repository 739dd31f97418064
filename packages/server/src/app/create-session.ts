/**
 * Use case: open a session, at will with its first turn, atomically.
 *
 * U1 With `initialMessage` both exist or neither does. The key names the session, and among the session's submissions
 *    its turn: a later submission under it is answered as the first one's repeat.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { CreatedSession, CreateSessionRequest, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import { dueAt } from '@turnkeeper/core/session/pending-work';
import { emptyState } from '@turnkeeper/core/session/state';
import type { NewSession, ReceiptWrite, SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { configRef, type FrozenConfig, rulesOf } from './frozen-config.ts';
import { earlier, type Keyed, type KeyedCall, keyedCall, receiptOf, replayed, requiredKey } from './idempotency.ts';
import { extrasOf, type Job, ownerFull, type Plan, type Prepared, prepare } from './lane-batch.ts';
import { buildWrite } from './lane-write.ts';
import { ResourceCache } from './resource-cache.ts';
import { thrown } from './run-job.ts';
import { sessionResource, turnReceipt } from './session-resource.ts';
import { type AcceptedInput, acceptedInput, titleFrom } from './turn-input.ts';

/**
 * Opens a session for the caller, and submits its first turn when the body has one (U1). `key` may be missing without one.
 * Throws `idempotency_key_required`, `idempotency_conflict`, `not_found` (the target), `not_supported`, `payload_too_large`.
 */
export const createSession = async (app: App, caller: Caller, body: CreateSessionRequest, key: string | undefined): Promise<Keyed<CreatedSession>> => {
  const owner = ownerOf(caller);
  const given = body.initialMessage ? requiredKey(key) : key;
  const call = given === undefined ? undefined : keyedCall(owner, 'create', '', given, body);
  const before = call && (await earlier<CreatedSession>(app.sessions.store, call));
  if (before) return before;
  const config = await freeze(app, body);
  const input = body.initialMessage && acceptedInput(body.initialMessage);
  const made = newSession(app, { body, config, owner, input, call });
  const result = await app.sessions.create(made.session, { config, state: made.prepared.batch.after });
  if (result.ok) return { answer: made.answer, replayed: false };
  if (result.reason === 'receipt' && call) return replayed<CreatedSession>(call, result.receipt);
  if (result.reason === 'quota') throw thrown(ownerFull(owner, app.sessions.quotaOf(owner) ?? 0, result.count));
  throw new TurnkeeperError('internal_error', `A new session was refused: ${result.reason}.`);
};

/** Takes over the target as it is now: later changes do not reach the session. */
const freeze = async (app: App, body: CreateSessionRequest): Promise<FrozenConfig> => {
  const target = body.target ?? { type: 'agent' as const, id: body.agent ?? '', version: undefined };
  if (target.type !== 'agent') throw new TurnkeeperError('not_supported', `Sessions with a ${target.type} are not supported by this server yet.`);
  const agent = await app.catalog.agent(target.id);
  const version = agent && (await app.catalog.agentVersion(agent.id, target.version ?? agent.version));
  if (!agent || !version) {
    const which = target.version === undefined ? target.id : `${target.id} version ${target.version}`;
    throw new TurnkeeperError('not_found', `There is no agent ${which}.`, { pointer: body.target ? '/target/id' : '/agent' });
  }
  const definition = version.definition as unknown as AgentDefinition;
  return {
    target: { type: 'agent', id: agent.id, name: agent.displayName, version: version.version, definition },
    timeoutSeconds: body.timeoutSeconds ?? null,
  };
};

type Wanted = {
  readonly body: CreateSessionRequest;
  readonly config: FrozenConfig;
  readonly owner: string;
  readonly input: AcceptedInput | undefined;
  readonly call: KeyedCall | undefined;
};

const newRow = (app: App, { body, config, owner, input }: Wanted, at: number): Omit<SessionRow, 'sid'> => {
  const id = app.ids.session();
  return {
    id,
    owner,
    root: id,
    path: '',
    placement: `space:${body.space ?? 'default'}`,
    configRef: configRef(config),
    title: body.title ?? titleFrom(input?.preview ?? ''),
    metadata: JSON.stringify(body.metadata ?? {}),
    status: 'idle',
    archivedAt: null,
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  };
};

/** The key of a creation with a first turn is also the turn's own (U1). */
const turnReceipts = ({ body, owner }: Wanted, { key }: KeyedCall, answer: TurnReceipt): readonly ReceiptWrite[] =>
  body.initialMessage ? [receiptOf(keyedCall(owner, 'submit', answer.sessionId, key, body.initialMessage), answer, answer.createdAt)] : [];

const newSession = (app: App, wanted: Wanted): { readonly session: NewSession; readonly prepared: Prepared; readonly answer: CreatedSession } => {
  const { config, input, call } = wanted;
  const at = app.clock.now();
  const row = newRow(app, wanted, at);
  const turnId = app.ids.turn();
  const metadata = wanted.body.initialMessage?.metadata;
  const plan: Plan = input
    ? {
        asks: [{ type: 'create' }, { type: 'submit', turnId, preview: input.preview, ...(metadata === undefined ? {} : { metadata }) }],
        input: { turnId, messages: input.messages },
        adopt: true,
      }
    : { asks: [{ type: 'create' }] };
  const job: Job = { plan: () => plan, fence: undefined, row: false, resolve: () => {}, reject: () => {} };
  const { node, mayAdopt, mayStart } = app.sessions.situation();
  const prepared = prepare(
    {
      state: emptyState,
      row: { ...row, sid: 0 },
      rules: rulesOf(config),
      at,
      node,
      held: undefined,
      mayAdopt,
      mayStart,
      quotaLimit: app.sessions.quotaOf(row.owner),
      inputs: new Map(),
    },
    [job],
  );
  if (prepared.decided.length === 0) throw new TurnkeeperError('internal_error', 'A new session refused its first turn.');
  const { rows } = buildWrite(prepared.batch, new ResourceCache());
  const status = rows.session?.status ?? row.status;
  const answer: CreatedSession = { ...sessionResource({ ...row, sid: 0, status }, config), ...(input ? { turnId } : {}) };
  const receipts = call ? [receiptOf(call, answer, at), ...turnReceipts(wanted, call, turnReceipt(row.id, turnId, at, 0))] : [];
  const { session: _changes, ...written } = rows;
  return {
    prepared,
    answer,
    session: {
      row: { ...row, status },
      config: { ref: row.configRef, body: JSON.stringify(config) },
      write: {
        ...written,
        ...extrasOf(prepared),
        state: { body: JSON.stringify(prepared.batch.after), due: dueAt(prepared.batch.after) },
        ...(receipts.length > 0 ? { receipts } : {}),
        ...(prepared.hold ? { hold: prepared.hold } : {}),
      },
    },
  };
};
