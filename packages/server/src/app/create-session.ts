/**
 * Use case: open a session, at will with its first turn, atomically.
 *
 * U1 With `initialMessage` both exist or neither does. The key names the session, and among the session's submissions
 *    its turn: a later submission under it is answered as the first one's repeat.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { CreatedSession, CreateSessionRequest, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import type { Submitter } from '@turnkeeper/core/session/events';
import type { Criteria } from '@turnkeeper/core/session/outcome';
import type { NewSession, ReceiptWrite, SessionRow, WriteResult } from '../ports/session-store.ts';
import { acceptedOutcome } from './accept-outcome.ts';
import { scopeRefusal } from './access.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { onModel } from './chosen-model.ts';
import { refuseClient } from './client-reach.ts';
import { freezeTarget, frozenTeam, frozenWorkflow } from './freeze-target.ts';
import { configRef, createAsk, type FrozenConfig, type FrozenTarget } from './frozen-config.ts';
import { earlier, type Keyed, type KeyedCall, keyedCall, receiptOf, replayed, requiredKey } from './idempotency.ts';
import { inputRefusal } from './input-refusal.ts';
import { ownerFull, type Plan, type Prepared } from './lane-batch.ts';
import { newSession } from './new-session.ts';
import { replayedOr, thrown } from './run-job.ts';
import { sessionResource, turnReceipt } from './session-resource.ts';
import { frozenSchemas, schemaRefusal } from './session-schemas.ts';
import { placeIn } from './spaces.ts';
import { submitterOf } from './submitter.ts';
import { type FoundTarget, findTarget } from './target-grants.ts';
import { budgetRefusal } from './token-budget.ts';
import { type AcceptedInput, acceptedInput, titleFrom } from './turn-input.ts';

/**
 * Opens a session for the caller, and submits its first turn when the body has one (U1). `key` may be missing without one.
 * Throws `idempotency_key_required`, `idempotency_conflict`, `not_found` (the target, the space), `not_published`,
 * `forbidden` (the model), `payload_too_large`, `queue_full`, `token_budget_exhausted`; for keys `scope_missing`, `target_not_granted`.
 */
export const createSession = async (app: App, caller: Caller, body: CreateSessionRequest, key: string | undefined): Promise<Keyed<CreatedSession>> => {
  const owner = ownerOf(caller);
  const target: Target = body.target ?? { type: 'agent', id: body.agent ?? '' };
  const granted = await grantedTarget(app, caller, target);
  const given = body.initialMessage ? requiredKey(key) : key;
  const call = given === undefined ? undefined : keyedCall(owner, 'create', '', given, body);
  const before = call && (await earlier<CreatedSession>(app.sessions.store, call));
  if (before) return before;
  const config = await freeze(app, caller, body, target, granted);
  const space = await placeIn(app, caller, body.space);
  const input = body.initialMessage && acceptedInput(body.initialMessage, target.type);
  // To ask for the budget waits for the owner's limits, too.
  if (!input) await app.sessions.limits.ready(owner);
  const model = config.target.definition.model;
  const outcome = await acceptedOutcome(app, caller, body.initialMessage?.outcome, '/initialMessage/outcome');
  const spent =
    input &&
    (('ok' in outcome ? outcome : undefined) ??
      (await schemaRefusal(app, config, body.initialMessage ?? {}, '/initialMessage')) ??
      (await inputRefusal(app, { sessionId: undefined, model, place: '/initialMessage' }, input.messages)) ??
      (await budgetRefusal(app, owner)));
  if (spent && call) return replayedOr(app, call, thrown(spent));
  const { made, result } = await create(app, {
    body,
    config,
    owner,
    space,
    input,
    call,
    submitter: submitterOf(caller),
    criteria: 'ok' in outcome ? undefined : outcome.criteria,
  });
  if (result.ok) return { answer: made.answer, replayed: false };
  if (result.reason === 'receipt' && call) return replayed<CreatedSession>(call, result.receipt);
  if (result.reason === 'quota') throw thrown(ownerFull(owner, app.sessions.limits.of(owner)?.unfinished ?? 0, result.count));
  throw new TurnkeeperError('internal_error', `A new session was refused: ${result.reason}.`);
};

/** Its first turn starts in the same commit where it can; where its owner may run no more at once, it waits (X14). */
const create = async (app: App, wanted: Wanted): Promise<{ readonly made: Made; readonly result: WriteResult }> => {
  for (;;) {
    const made = madeFrom(app, wanted);
    const result = await app.sessions.create(made.session, { config: wanted.config, batch: made.prepared.batch });
    if (result.ok || result.reason !== 'quota' || result.quota !== 'running') return { made, result };
    app.sessions.gates.full(wanted.owner);
  }
};

type Target = NonNullable<CreateSessionRequest['target']>;

/** A key is refused before anything else is looked at (TG2): also a repeat, once it has lost its grant. */
const grantedTarget = async (app: App, caller: Caller, target: Target): Promise<FoundTarget | undefined> => {
  refuseClient(caller, 'makes no sessions');
  if (caller.type === 'user') return undefined;
  const refusal = caller.type === 'application' ? scopeRefusal(caller, 'invoke') : undefined;
  if (refusal) throw thrown(refusal);
  return findTarget(app, caller, target);
};

/** Takes over the target as it is now: later changes do not reach the session. */
const freeze = async (app: App, caller: Caller, body: CreateSessionRequest, target: Target, granted: FoundTarget | undefined): Promise<FrozenConfig> => {
  const pointer = body.target ? '/target/id' : '/agent';
  const found = granted ?? (await findTarget(app, caller, target));
  const of = found && (await frozenVersion(app, found, target));
  if (!of) {
    const which = target.version === undefined ? target.id : `${target.id} version ${target.version}`;
    const named = target.revisionId === undefined ? which : `${target.id} revision ${target.revisionId}`;
    throw new TurnkeeperError('not_found', `There is no ${target.type} ${named}.`, { pointer });
  }
  const schemas = await frozenSchemas(app, body);
  const frozen = await freezeTarget(app, {
    target: onModel(app, caller, of, body.model),
    timeoutSeconds: body.timeoutSeconds ?? null,
    ...(typeof body.budget?.maxTokens === 'number' ? { maxTokensPerTurn: body.budget.maxTokens } : {}),
  });
  return schemas ? { ...frozen, schemas } : frozen;
};

/** The version or revision that is asked for, or the newest; undefined where it is not there. Throws `not_published`. */
const frozenVersion = async (app: App, found: FoundTarget, { version: n, revisionId }: Target): Promise<FrozenTarget | undefined> => {
  const { catalog } = app;
  switch (found.type) {
    case 'agent': {
      const { id, displayName: name, space, version: newest } = found.row;
      const version = await catalog.agentVersion(id, n ?? newest);
      return version && { type: 'agent', id, name, space, version: version.version, definition: version.definition as unknown as AgentDefinition };
    }
    case 'team': {
      const version = await catalog.teamVersion(found.row.id, n ?? found.row.version);
      return version && frozenTeam(app, found.row, version);
    }
    case 'workflow': {
      const { id, revisions } = found.row;
      if (revisions === 0)
        throw new TurnkeeperError('not_published', 'Nothing of this workflow is published yet: publish it first.', { pointer: '/target/id' });
      const revision = await (revisionId === undefined ? catalog.revisionOf(id, n ?? revisions) : catalog.revision(revisionId));
      return revision?.workflowId === id ? frozenWorkflow(found.row, revision) : undefined;
    }
  }
};

type Wanted = {
  readonly body: CreateSessionRequest;
  readonly config: FrozenConfig;
  readonly owner: string;
  readonly space: string;
  readonly input: AcceptedInput | undefined;
  readonly call: KeyedCall | undefined;
  readonly criteria: Criteria | undefined;
  readonly submitter: Submitter;
};

const newRow = (app: App, { body, config, owner, space, input }: Wanted, at: number): Omit<SessionRow, 'sid'> => {
  const id = app.ids.session();
  return {
    id,
    owner,
    root: id,
    path: '',
    placement: `space:${space}`,
    configRef: configRef(config),
    title: body.title ?? (input ? titleFrom(input, config.target.name) : ''),
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

type Made = { readonly session: NewSession; readonly prepared: Prepared; readonly answer: CreatedSession };

const madeFrom = (app: App, wanted: Wanted): Made => {
  const { config, input, call, submitter } = wanted;
  const at = app.clock.now();
  const turnId = app.ids.turn();
  const metadata = wanted.body.initialMessage?.metadata;
  const more = { ...(metadata === undefined ? {} : { metadata }), ...(wanted.criteria ? { outcome: wanted.criteria } : {}), submitter };
  const plan: Plan = input
    ? {
        asks: [createAsk(config), { type: 'submit', turnId, preview: input.preview, ...more }],
        input: { turnId, messages: input.messages },
        adopt: true,
      }
    : { asks: [createAsk(config)] };
  const answerFor = (row: SessionRow): CreatedSession => ({ ...sessionResource(row, config), ...(input ? { turnId } : {}) });
  const receipts = (row: SessionRow): readonly ReceiptWrite[] =>
    call ? [receiptOf(call, answerFor(row), at), ...turnReceipts(wanted, call, turnReceipt(row.id, turnId, at, 0))] : [];
  const { session, prepared } = newSession(app, { row: newRow(app, wanted, at), config, plan, receipts });
  return { session, prepared, answer: answerFor({ ...session.row, sid: 0 }) };
};
