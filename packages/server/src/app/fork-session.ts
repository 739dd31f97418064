/**
 * Use case: another session begins with what the context of this one was at a checkpoint.
 *
 * FK1 A fork writes one session, the target, in one write with its receipt: there is no half of one, and a repeat makes no
 *     second. The source is only read, where it does not change any more: a checkpoint points into a log that is appended to.
 * FK2 The context is copied, and nothing else: no history, budget, files, permissions, children or webhooks. What becomes of
 *     the source afterwards is nothing to the fork.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { ForkRequest } from '@turnkeeper/core/protocol/wire/context';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { estimatedTokens } from '@turnkeeper/core/session/compaction';
import { assemblePrompt, type PromptMessage, visibleRows } from '@turnkeeper/core/session/context';
import { initializeRefusal } from '@turnkeeper/core/session/decide/context';
import { turnOfCheckpoint } from '@turnkeeper/core/session/ids';
import type { AuditRow } from '../ports/catalog.ts';
import type { CheckpointRow, SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { type Caller, ownerOf } from './caller.ts';
import { checkpointAfterTurn, findCheckpoint, freshCheckpointId, latestCheckpoint, refuseBusy } from './checkpoints.ts';
import { refuseClient } from './client-reach.ts';
import { findSession, refuseRecord } from './find-session.ts';
import { forkedContext } from './forked-context.ts';
import { configRef, createAsk, type FrozenConfig } from './frozen-config.ts';
import { earlier, type Keyed, type KeyedCall, keyedCall, receiptOf, replayed, requiredKey } from './idempotency.ts';
import type { Lane, Session } from './lane.ts';
import type { Plan } from './lane-batch.ts';
import { newSession } from './new-session.ts';
import { readContext } from './read-context.ts';
import { findTurn } from './read-turn.ts';
import { runKeyedJob, thrown } from './run-job.ts';
import { sessionResource } from './session-resource.ts';
import { placeIn } from './spaces.ts';
import { findTarget } from './target-grants.ts';
import { requireSupport } from './target-support.ts';

/**
 * Into the session that the body names, or into a new one of the caller. Throws `idempotency_key_required`,
 * `idempotency_conflict`, `not_found` (source, target, checkpoint, turn, agent, space), `session_busy`, `fork_target_unfit`,
 * `session_archived`, `not_supported`; `forbidden`, `scope_missing`, `target_not_granted`.
 */
export const forkSession = async (app: App, caller: Caller, sourceId: string, body: ForkRequest, key: string | undefined): Promise<Keyed<SessionResource>> => {
  // Reading is not enough: the context holds what only the model is shown, and who owns the fork can ask it for that.
  const source = (await findSession(app, caller, sourceId, 'invoke')).session;
  refuseClient(caller, 'forks no sessions');
  refuseRecord(source);
  requireSupport(source, 'fork');
  const target = body.target_session_id === undefined ? undefined : await findSession(app, caller, body.target_session_id, 'invoke');
  const call = keyedCall(ownerOf(caller), 'fork', source.row.id, requiredKey(key), body);
  const before = await earlier<SessionResource>(app.sessions.store, call);
  if (before) return before;
  if (target) refuseUnfit(source, target.session);
  refuseBusy(source.state, source.row.id);
  const wanted: Fork = { source, call, body, checkpoint: await checkpointOf(app, source, body), caller };
  return target ? intoSession(app, target, wanted) : intoNewSession(app, wanted);
};

type Fork = {
  readonly source: Session;
  readonly checkpoint: CheckpointRow;
  readonly body: ForkRequest;
  readonly call: KeyedCall;
  readonly caller: Caller;
};

const refuseUnfit = (source: Session, target: Session): void => {
  if (source.row.id === target.row.id)
    throw new TurnkeeperError('fork_target_unfit', 'A session cannot be forked into itself: restore its context instead.', { why: 'same_session' });
  const [of, to] = [source.config.target, target.config.target];
  if (of.type !== to.type || of.id !== to.id)
    throw new TurnkeeperError('fork_target_unfit', `The target session is of another ${to.type}.`, { why: 'other_target' });
};

const checkpointOf = async (app: App, source: Session, { checkpoint_id, at }: ForkRequest): Promise<CheckpointRow> => {
  const { sid } = source.head;
  if (checkpoint_id !== undefined) return findCheckpoint(app, sid, checkpoint_id);
  return at === undefined ? latestCheckpoint(app, sid) : checkpointAfterTurn(app, sid, await findTurn(app, source, at));
};

type Context = { readonly messages: readonly PromptMessage[]; readonly tokens: number };

const contextAt = async (app: App, { source, checkpoint }: Fork): Promise<Context> => {
  const rows = await readContext(app.sessions.store, source.head.sid, checkpoint.upto);
  return { messages: forkedContext(assemblePrompt(rows)), tokens: estimatedTokens(visibleRows(rows), 0) };
};

const lineageOf = ({ source, checkpoint }: Fork): string =>
  JSON.stringify({ session_id: source.row.id, checkpoint_id: checkpoint.id, turn_id: turnOfCheckpoint(checkpoint.id) });

/** What the target begins with. */
const planOf = (app: App, { messages, tokens }: Context, { body }: Fork, audit: AuditRow): Plan => ({
  asks: [{ type: 'initialize_context', messages, tokens, reason: body.reason }],
  checkpoint: { id: freshCheckpointId(app, null), turn: 0, reason: 'session.context_initialized' },
  audit: [audit],
});

const auditFor = (app: App, { caller, source, checkpoint }: Fork, target: Pick<SessionRow, 'id' | 'owner'>): AuditRow => {
  const details = { owner: target.owner, from: source.row.id, checkpoint: checkpoint.id };
  return auditOf(app, caller, { action: 'session.forked', subject: `session:${target.id}`, sessionId: target.id, details });
};

const intoSession = async (app: App, { lane, session }: { readonly lane: Lane; readonly session: Session }, fork: Fork): Promise<Keyed<SessionResource>> => {
  const unfit = initializeRefusal(session.state);
  if (unfit) throw thrown({ ...unfit, details: { ...unfit.details, session_id: session.row.id } });
  const context = await contextAt(app, fork);
  const audit = auditFor(app, fork, session.row);
  const forkedFrom = lineageOf(fork);
  return runKeyedJob(app, lane, fork.call, (_state, row) => ({
    plan: { ...planOf(app, context, fork, audit), session: { forkedFrom } },
    answer: sessionResource({ ...row, forkedFrom }, session.config),
  }));
};

/** Of the agent as the source froze it, if the caller may have sessions with it. */
const intoNewSession = async (app: App, fork: Fork): Promise<Keyed<SessionResource>> => {
  const { source, body, call, caller } = fork;
  const config = forkConfig(source.config);
  const { type, id } = config.target;
  if (!(await findTarget(app, caller, { type, id }))) throw new TurnkeeperError('not_found', 'The agent of this session is not there any more.');
  const space = await placeIn(app, caller, body.space);
  const row = newRow(app, fork, config, space);
  const answerFor = (made: SessionRow): SessionResource => sessionResource(made, config);
  const { asks, ...rest } = planOf(app, await contextAt(app, fork), fork, auditFor(app, fork, row));
  const { session, prepared } = newSession(app, {
    ...{ row, config },
    plan: { ...rest, asks: [createAsk(config), ...asks] },
    receipts: (made) => [receiptOf(call, answerFor(made), made.createdAt)],
  });
  const result = await app.sessions.create(session, { config, batch: prepared.batch });
  if (result.ok) return { answer: answerFor({ ...session.row, sid: 0 }), replayed: false };
  if (result.reason === 'receipt') return replayed<SessionResource>(call, result.receipt);
  throw new TurnkeeperError('internal_error', `A fork was refused: ${result.reason}.`);
};

/** The fork is a root, judged by its own target; budget and workspace are the source's alone (FK2). */
const forkConfig = ({ root: _, maxTokensPerTurn: __, minitool, ...config }: FrozenConfig): FrozenConfig => {
  if (!minitool) return config;
  const { workspace: ___, ...others } = minitool;
  return { ...config, minitool: others };
};

const newRow = (app: App, fork: Fork, config: FrozenConfig, space: string): Omit<SessionRow, 'sid'> => {
  const { source, body, caller } = fork;
  const id = app.ids.session();
  const at = app.clock.now();
  return {
    ...{ id, owner: ownerOf(caller), root: id, path: '', placement: `space:${space}`, configRef: configRef(config) },
    title: body.title ?? source.row.title,
    metadata: JSON.stringify(body.metadata ?? {}),
    status: 'idle',
    archivedAt: null,
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
    forkedFrom: lineageOf(fork),
  };
};
