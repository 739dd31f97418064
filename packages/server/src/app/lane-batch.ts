/**
 * Deciding what waits in a lane: jobs in order, each on the state that the one before it left.
 *
 * Owns: which jobs share a write, what is refused, and the follow-ups that the holder owes in the same commit (the
 * start of the next turn, the next run of an answered one). Pure but for the plans that the jobs bring.
 *
 * X9 A plan that throws fails its own job, never its neighbours in the batch.
 * X10 A job sees what the jobs before it in the batch made of the state and of the session's row.
 * X13 What the counters of an owner move by is what the batch makes of the session: its unfinished turns, whether a root
 *     turn runs, and the tokens that it reports. They move in the commit that makes it so: what is not committed is not
 *     counted, and what is committed is counted once. So they are at any moment what the states of the owner's sessions say.
 * X14 A batch with a turn too many loses the last of its jobs that adds one; one with a run too many loses that run alone,
 *     and all else of it is decided again.
 * X15 Where runs are limited, no run begins in the commit that ended one: who waits longer comes first.
 */

import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { type Refusal, refuse } from '@turnkeeper/core/protocol/errors';
import type { Command, SessionRules } from '@turnkeeper/core/session/commands';
import { decide } from '@turnkeeper/core/session/decide';
import { retryAfterMs } from '@turnkeeper/core/session/decide/client';
import type { PlacedContext } from '@turnkeeper/core/session/decision';
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { pendingWork, type Work } from '@turnkeeper/core/session/pending-work';
import { type SessionState, unfinishedTurns } from '@turnkeeper/core/session/state';
import type { CheckpointWrite, Receipt, SessionRow, Write } from '../ports/session-store.ts';
import { isChild } from './is-child.ts';
import type { Batch } from './lane-write.ts';
import type { Limits } from './owner-limits.ts';

type WithoutTime<T> = T extends { readonly at: number } ? Omit<T, 'at'> : never;
/** A command as a job asks it; the lane adds the time. */
export type Ask = WithoutTime<Command>;

/** What a job wants, given the state that the lane has when its turn comes. */
export type Plan = Pick<Write, 'receipts' | 'session' | 'audit'> & {
  readonly asks: readonly Ask[];
  /** What a submitted turn says: kept as its payload until it starts. */
  readonly input?: { readonly turnId: TurnId; readonly messages: readonly UserMessage[] };
  /** Take the session for this node in the same commit if nobody holds it and there is a free slot. */
  readonly adopt?: boolean;
  /** Let the session go in the same commit. */
  readonly release?: boolean;
  /** Of the context as this plan leaves it. */
  readonly checkpoint?: CheckpointMark;
};
/** `id` and what else is to be known of a checkpoint; the lane adds the place and the time. */
export type CheckpointMark = Pick<CheckpointWrite, 'id' | 'turn' | 'reason'>;
export type Planner = (state: SessionState, row: SessionRow) => Plan | Refusal;

export type JobResult =
  | { readonly ok: true; readonly state: SessionState; readonly row: SessionRow }
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: false; readonly replay: Receipt }
  /** The run that it wished for would have been one too many for the owner: nothing of it was done. */
  | { readonly ok: false; readonly full: true }
  /** Another node holds the session now: what this one did for it does not count any more. */
  | { readonly ok: false; readonly fenced: true };

export type Job = {
  readonly plan: Planner;
  readonly fence: number | undefined;
  /** Its plan rests on the row's title or metadata. */
  readonly row: boolean;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
};
export type Decided = {
  readonly job: Job;
  readonly plan: Plan;
  readonly state: SessionState;
  readonly row: SessionRow;
  /** It leaves the session with more unfinished turns than before. */
  readonly adds: boolean;
  /** It begins a run. */
  readonly runs: boolean;
  readonly checkpoint: CheckpointWrite | undefined;
};
export type Prepared = {
  readonly decided: readonly Decided[];
  /** Answers that need no write of their own; given only after the batch is durable. */
  readonly answers: readonly (() => void)[];
  /** A wish moves nothing, by the state or the row as they are known here: it was refused, or there is nothing to do for it. */
  readonly movesNothing: boolean;
  readonly batch: Batch;
  readonly hold: Write['hold'];
  readonly quota: Write['quota'];
};

/** What the lane knows of the world when it decides. */
export type Situation = {
  readonly state: SessionState;
  readonly row: SessionRow;
  readonly rules: SessionRules;
  readonly at: number;
  readonly node: string;
  /** The fence of this node's claim, if it holds the session. */
  readonly held: number | undefined;
  /** Nobody holds it, and this node has room to run it. */
  readonly mayAdopt: boolean;
  /** A run may begin now (false while stopping or when there is no free slot). */
  readonly mayStart: boolean;
  /** The limits of the session's owner; undefined = it is not counted. */
  readonly limits: Limits | undefined;
  /** Inputs of queued turns known here. */
  readonly inputs: ReadonlyMap<TurnId, readonly UserMessage[]>;
};

type Chain = { state: SessionState; row: SessionRow; readonly events: LoggedEvent[]; readonly context: PlacedContext[] };

const tryAll = (chain: Chain, asks: readonly Ask[], at: number, rules: SessionRules): Refusal | undefined => {
  const events: LoggedEvent[] = [];
  const context: PlacedContext[] = [];
  let state = chain.state;
  for (const ask of asks) {
    const decision = decide(state, { ...ask, at } as Command, rules);
    if (!decision.ok) return decision;
    for (const entry of decision.context) context.push({ at: chain.events.length + events.length + entry.at, entry: entry.entry });
    events.push(...decision.events);
    state = decision.state;
  }
  chain.state = state;
  chain.events.push(...events);
  chain.context.push(...context);
  return undefined;
};

const receiptKey = (receipt: Receipt): string => `${receipt.scope}\n${receipt.key}`;

export const prepare = (at: Situation, jobs: readonly Job[]): Prepared => {
  const chain: Chain = { state: at.state, row: at.row, events: [], context: [] };
  const decided: Decided[] = [];
  const answers: (() => void)[] = [];
  const receipts = new Map<string, Receipt>();
  let movesNothing = false;
  for (const job of jobs) {
    if (job.fence !== undefined && job.fence !== at.held) {
      answers.push(() => job.resolve({ ok: false, fenced: true }));
      continue;
    }
    const plan = planOf(job, chain.state, chain.row);
    if ('thrown' in plan) {
      movesNothing ||= job.fence === undefined;
      answers.push(() => job.reject(plan.thrown));
      continue;
    }
    if ('ok' in plan) {
      movesNothing ||= job.fence === undefined;
      answers.push(() => job.resolve({ ok: false, refusal: plan }));
      continue;
    }
    const twin = (plan.receipts ?? []).map((receipt) => receipts.get(receiptKey(receipt))).find((found) => found !== undefined);
    if (twin) {
      answers.push(() => job.resolve({ ok: false, replay: twin }));
      continue;
    }
    const before = chain.state;
    const eventsBefore = chain.events.length;
    const refusal = tryAll(chain, plan.asks, at.at, at.rules);
    if (refusal) {
      movesNothing ||= job.fence === undefined;
      answers.push(() => job.resolve({ ok: false, refusal }));
      continue;
    }
    if (chain.events.length === eventsBefore && plan.session === undefined) movesNothing ||= job.fence === undefined;
    for (const receipt of plan.receipts ?? []) receipts.set(receiptKey(receipt), receipt);
    if (plan.session) chain.row = { ...chain.row, ...plan.session };
    decided.push({
      ...{ job, plan, state: chain.state, row: chain.row },
      adds: counted(chain.row, chain.state) > counted(chain.row, before),
      runs: !runs(before) && runs(chain.state),
      checkpoint: plan.checkpoint && checkpointAfter(chain, plan.checkpoint, at.at),
    });
  }
  const hold = holdAfter(at, chain, decided);
  const batch: Batch = { before: at.state, after: chain.state, events: chain.events, context: chain.context };
  return { decided, answers, movesNothing, batch, hold, quota: quotaMove(at, chain) };
};

/** Up to where the plan leaves the chain, whatever the jobs behind it add. */
const checkpointAfter = ({ events }: Chain, mark: CheckpointMark, at: number): CheckpointWrite => ({ ...mark, at, last: events.length - 1 });

/** What of a session counts for its owner: nothing once it is deleted, and of a child session its tokens alone. */
const counted = (row: Pick<SessionRow, 'id' | 'root'>, state: SessionState): number => (state.terminated || isChild(row) ? 0 : unfinishedTurns(state));

const runs = (state: SessionState): boolean => !state.terminated && state.live?.status === 'running';
/** Of a child session the root's turn is the one that counts. */
const countedRun = (row: SessionRow, state: SessionState): number => (!isChild(row) && runs(state) ? 1 : 0);

const tokensOf = (events: readonly LoggedEvent[]): number =>
  events.reduce((sum, event) => (event.type === 'usage.recorded' ? sum + event.data.usage.total_tokens : sum), 0);

const quotaMove = ({ state, row, limits }: Situation, after: Chain): Write['quota'] => {
  if (!limits) return undefined;
  const unfinished = counted(row, after.state) - counted(row, state);
  const running = countedRun(row, after.state) - countedRun(row, state);
  const tokens = tokensOf(after.events);
  if (unfinished === 0 && running === 0 && tokens === 0) return undefined;
  return {
    ...{ owner: row.owner, unfinished, running, tokens },
    ...(limits.unfinished === undefined ? {} : { unfinishedLimit: limits.unfinished }),
    ...(limits.running === undefined ? {} : { runningLimit: limits.running }),
  };
};

const planOf = (job: Job, state: SessionState, row: SessionRow): Plan | Refusal | { readonly thrown: unknown } => {
  try {
    return job.plan(state, row);
  } catch (thrown) {
    return { thrown };
  }
};

/** Claims, starts or lets go, as the state after the jobs asks for; the start goes into the same commit. */
const holdAfter = (at: Situation, chain: Chain, decided: readonly Decided[]): Write['hold'] => {
  if (at.held === undefined) {
    const wanted = decided.some(({ plan }) => plan.adopt === true);
    if (!wanted || !at.mayAdopt || !begin(at, chain, decided)) return undefined;
    return { kind: 'claim', node: at.node };
  }
  if (decided.some(({ plan }) => plan.release === true)) return { kind: 'release' };
  begin(at, chain, decided);
  return pendingWork(chain.state).every((work) => isLater(work, at.at)) ? { kind: 'release' } : undefined;
};

/** It is claimed when it is due, by whichever node has room: nobody holds a session that sleeps (WF7, TQ7). A model call's retry is waited for here. */
const isLater = (work: Work, at: number): boolean =>
  (work.kind === 'expire' || work.kind === 'restart' || work.kind === 'wake' || work.kind === 'child') && (work.notBefore ?? 0) > at;

/** Begins the run that is owed, if it can begin now. True when it did. */
const begin = (at: Situation, chain: Chain, decided: readonly Decided[]): boolean => {
  if (!at.mayStart || (at.limits?.running !== undefined && !isChild(at.row) && runs(at.state))) return false;
  const work = pendingWork(chain.state).find((entry) => entry.kind === 'start' || entry.kind === 'restart');
  switch (work?.kind) {
    case 'start': {
      const fresh = decided.find(({ plan }) => plan.input?.turnId === work.turnId)?.plan.input?.messages;
      const message = fresh ?? at.inputs.get(work.turnId);
      return message !== undefined && tryAll(chain, [{ type: 'start', message }], at.at, at.rules) === undefined;
    }
    case 'restart':
      return !work.alone && work.notBefore <= at.at && tryAll(chain, [{ type: 'restart' }], at.at, at.rules) === undefined;
    default:
      return false;
  }
};

/** The parts of a write that the plans bring beside their events. */
export const extrasOf = ({ decided, batch, quota }: Prepared): Pick<Write, 'payloads' | 'receipts' | 'quota' | 'session' | 'audit' | 'checkpoints'> => {
  const payloads = decided.flatMap(({ plan }) => {
    // One that starts in this very commit has its input in its item and in the context: nobody would read it here.
    const turn = batch.after.queue.find((entry) => entry.id === plan.input?.turnId);
    return plan.input && turn ? [{ n: turn.n, body: JSON.stringify(plan.input.messages) }] : [];
  });
  const receipts = decided.flatMap(({ plan }) => plan.receipts ?? []);
  const audit = decided.flatMap(({ plan }) => plan.audit ?? []);
  const checkpoints = decided.flatMap(({ checkpoint }) => checkpoint ?? []);
  const session = decided.reduce<Write['session']>((all, { plan }) => (plan.session ? { ...all, ...plan.session } : all), undefined);
  return {
    ...(payloads.length > 0 ? { payloads } : {}),
    ...(receipts.length > 0 ? { receipts } : {}),
    ...(audit.length > 0 ? { audit } : {}),
    ...(quota ? { quota } : {}),
    ...(session ? { session } : {}),
    ...(checkpoints.length > 0 ? { checkpoints } : {}),
  };
};

/** Answers the job whose key was used before, if it was this one. */
export const answeredByReceipt = ({ job, plan }: Decided, receipt: Receipt): boolean => {
  const mine = (plan.receipts ?? []).some((entry) => receiptKey(entry) === receiptKey(receipt));
  if (mine) job.resolve({ ok: false, replay: receipt });
  return mine;
};

const scopeOf = (owner: string): string => (owner.startsWith('minitool:') ? 'minitool' : owner.startsWith('app:') ? 'application' : 'owner');

export const ownerFull = (owner: string, limit: number, count: number): Refusal =>
  refuse('queue_full', `${owner.startsWith('app:') ? 'The application has' : 'There are'} ${count} unfinished turns; the limit is ${limit}.`, {
    scope: scopeOf(owner),
    limit,
    pending_count: count,
    retry_after_ms: retryAfterMs,
  });

/** Refuses the job that is one too many for the owner, and gives it back (X14). */
export const refusedByQuota = ({ decided, quota }: Prepared, count: number): Job | undefined => {
  const job = decided.findLast(({ adds }) => adds)?.job;
  if (quota) job?.resolve({ ok: false, refusal: ownerFull(quota.owner, quota.unfinishedLimit ?? 0, count) });
  return job;
};

/** Refuses the jobs whose run is one too many, and gives them back: none where the run was the lane's own doing (X14). */
export const refusedRuns = ({ decided }: Prepared): readonly Job[] => {
  const jobs = decided.filter((entry) => entry.runs).map(({ job }) => job);
  for (const job of jobs) job.resolve({ ok: false, full: true });
  return jobs;
};
