/**
 * What a turn waits for between two model calls, and when it is parked for that or taken up again.
 *
 * S19 A parked turn goes on as soon as one of its calls may run, or nothing is left to wait for; an unknown result holds
 *     it until a person has said what happened.
 * CH6 A call that a child works on runs as long as the child does something, and waits for people while the child only
 *     does that: the turn is parked when all that is left waits for people, the children's people included.
 * WF7 A workflow that only waits holds no process: for people it is parked, for times it is queued until the first of them, and
 *     woken where it waits for both.
 * TQ7 A team waits for a further attempt of a piece as a workflow waits for a time: that is no running time, and holds no run.
 * CH9 A turn that waits for nothing but a child which a limit stopped is `interrupted` as that is; resumed, both go on.
 */
import type { Draft } from '../decision.ts';
import { childrenCounted, linkOf } from '../evolve-children.ts';
import { type FlowStep, maxFlowChildren } from '../flow.ts';
import { flowDueOf } from '../flow-due.ts';
import { isHeldBack, piecesWaitedFor } from '../pieces.ts';
import type { CallState, ChildLink, LiveTurn, SessionState } from '../state.ts';
import { endRun } from './closing.ts';
import { isSuspect } from './suspect.ts';

/** The actions that a turn waits for. */
const openIds = (live: LiveTurn): readonly string[] => live.openActions.map((action) => action.id);

/** Whether something happens by itself, or people must act, or a time must come, or it is over. */
type Standing = 'runs' | 'waits' | 'sleeps' | 'over';

const standingOf = (state: SessionState, call: CallState, at: number): Standing => {
  switch (call.status) {
    case 'requested':
      // It goes on with the pieces that are in its way.
      return isHeldBack(state, call) ? 'over' : 'runs';
    case 'dispatched':
      return 'runs';
    case 'waiting':
    case 'unknown':
      return 'waits';
    case 'delegated':
      return standingOfChild(state, call.childId, at);
    case 'done':
      return 'over';
  }
};

/** A further attempt whose time has not come (TQ7). */
const isDelayed = (link: ChildLink | undefined, at: number): boolean => link?.status === 'owed' && link.notBefore !== undefined && link.notBefore > at;

const standingOfChild = (state: SessionState, childId: string | undefined, at: number): Standing => {
  const link = linkOf(state, childId);
  if (link?.status === 'sleeping' && !link.resume) return 'sleeps';
  if (isDelayed(link, at)) return 'sleeps';
  return !link?.resume && (link?.status === 'requires_action' || link?.status === 'interrupted') ? 'waits' : 'runs';
};

const standingOfStep = (state: SessionState, { status, childId }: FlowStep, at: number): Standing => {
  switch (status) {
    case 'running':
      // A map runs by its elements.
      return childId === undefined ? 'over' : standingOfChild(state, childId, at);
    case 'waiting':
      return 'waits';
    case 'sleeping':
    case 'delayed':
      return 'sleeps';
    case 'succeeded':
    case 'failed':
    case 'timed_out':
    case 'rejected':
    case 'cancelled':
    case 'skipped':
      return 'over';
  }
};

/** What a workflow, and whoever is judged, waits for; `runs` also while its graph is to be looked at. */
const standingsOfFlow = (state: SessionState, at: number): readonly Standing[] => {
  const { flow, check } = state.live ?? {};
  const judge = check?.judge === undefined ? [] : [standingOfChild(state, check.judge, at)];
  if (!flow) return judge;
  const due = flowDueOf(state);
  const runs = (due !== undefined && due <= at) || isHeldUp(state);
  return [...judge, ...(runs ? ['runs' as const] : []), ...flow.steps.map((step) => standingOfStep(state, step, at))];
};

/** The graph is not looked at, whatever is due, before some of those that are cancelled have ended: they need nobody to. */
const isHeldUp = (state: SessionState): boolean => childrenCounted(state) >= maxFlowChildren && state.children?.some(({ closing }) => closing) === true;

const standingsOfPieces = (state: SessionState, at: number): readonly Standing[] => piecesWaitedFor(state).map(({ id }) => standingOfChild(state, id, at));

const standings = (out: Draft): ReadonlySet<Standing> => {
  const state = out.state();
  const calls = out.live().calls.map((call) => standingOf(state, call, out.at));
  return new Set([...calls, ...standingsOfFlow(state, out.at), ...standingsOfPieces(state, out.at)]);
};

/**
 * Parks the turn when nothing is left to run but answers: the run ends `suspended` and no process is held. While
 * a call may still run, or all are done, the run goes on.
 */
export const settleStep = (out: Draft): void => {
  const live = out.live();
  if (live.status !== 'running' || live.cancelRequested) return;
  const are = standings(out);
  if (are.has('runs') || !(are.has('waits') || are.has('sleeps'))) return;
  endRun(out, stoppedBelow(out) ? 'interrupted' : 'suspended');
  if (are.has('waits')) park(out);
  else sleep(out);
};

/** Nothing but times is waited for: the turn is queued until the next one comes (WF7, TQ7). */
const sleep = (out: Draft): void => {
  const { id } = out.live();
  const own = flowDueOf(out.state());
  const times = [...(own === undefined ? [] : [own]), ...sleepers(out), ...furtherAttempts(out)];
  const until = times.length === 0 ? {} : { not_before: Math.min(...times) };
  out.emit({ type: 'turn.queued', data: { turn_id: id, reason: 'timer', queue_position: 0, ...until } });
};

/** How long after a child should have woken its parent looks by itself: the child's own word comes first. */
const graceMs = 60_000;
/** The last moment of a `Date`. */
const latest = 8.64e15;

const sleepers = (out: Draft): readonly number[] =>
  (out.state().children ?? []).flatMap(({ status, until = 0 }) => (status === 'sleeping' ? [Math.min(latest, Math.max(until, out.at) + graceMs)] : []));

/** They are made by this session itself, so that nobody's word is waited for. */
const furtherAttempts = (out: Draft): readonly number[] =>
  (out.state().children ?? []).flatMap((link) => (isDelayed(link, out.at) && link.notBefore !== undefined ? [link.notBefore] : []));

/** A child that is waited for was stopped, and nobody is asked anything: resuming the turn is what goes on (CH9). */
const stoppedBelow = (out: Draft): boolean => {
  const { openActions, calls, flow, check } = out.live();
  const waitsFor = [
    { childId: check?.judge },
    ...calls.filter(({ status }) => status === 'delegated'),
    ...(flow?.steps ?? []).filter(({ status }) => status === 'running'),
  ];
  const links = [...waitsFor.map(({ childId }) => linkOf(out.state(), childId)), ...piecesWaitedFor(out.state())];
  return openActions.length === 0 && links.some((link) => link?.status === 'interrupted');
};

/** Says what the turn waits for, where that is news. */
const park = (out: Draft): void => {
  const live = out.live();
  if (stoppedBelow(out)) {
    if (live.status === 'interrupted' && live.overBudget) return;
    out.emit({ type: 'turn.interrupted', data: { turn_id: live.id, reason: 'budget_exceeded', error_code: 'budget_exceeded' } });
  } else if (live.status !== 'requires_action') out.emit({ type: 'turn.requires_action', data: { turn_id: live.id, request_ids: openIds(live) } });
};

/** Takes a parked turn up again when something can run, or when nothing is left to wait for (S19). */
export const goOn = (out: Draft): void => {
  const live = out.live();
  if (live.status === 'running') {
    settleStep(out);
    return;
  }
  if (live.status === 'queued') {
    // It slept until a child would have woken: the child works now, or has ended. A suspect waits for its time.
    const sleeps = live.flow && live.notBefore !== undefined && live.notBefore > out.at && !isSuspect(live);
    if (sleeps && standings(out).has('runs')) out.emit({ type: 'turn.queued', data: { turn_id: live.id, reason: 'answered', queue_position: 0 } });
    return;
  }
  if (live.status !== 'requires_action' && live.status !== 'interrupted') return;
  if (live.calls.some((call) => call.status === 'unknown')) return;
  // Stopped at a model call, or paused: only a person lets it go on (BU3).
  if (live.overBudget === 'here' || live.flow?.paused) return;
  const are = standings(out);
  if (!are.has('runs') && !are.has('waits') && are.has('sleeps')) sleep(out);
  else if (are.has('runs') || !are.has('waits')) out.emit({ type: 'turn.queued', data: { turn_id: live.id, reason: 'answered', queue_position: 0 } });
  // Other answers may still be missing when the last unknown result is known: an ordinary wait from now on.
  else park(out);
};
