/**
 * A workflow's turn on the session itself: deciding, folding and what is owed are the real ones; children, people and time are the test's.
 *
 * What is owed is done in any order. A plan may be lost before it is reported, and a run with its process. People pause it, and resume it.
 */
import type { WorkflowSpec } from '../protocol/wire/workflows.ts';
import type { Command } from '../session/commands.ts';
import { decide } from '../session/decide.ts';
import type { LoggedEvent } from '../session/events.ts';
import { childrenCounted } from '../session/evolve-children.ts';
import { type FlowStep, isEnd } from '../session/flow.ts';
import type { TurnId } from '../session/ids.ts';
import { brokenInvariant } from '../session/invariants.ts';
import { pendingWork, type Work } from '../session/pending-work.ts';
import { emptyState, type SessionState } from '../session/state.ts';
import { resultsNeeded, type StepResult } from '../workflow/flow-progress.ts';
import { planFlow } from '../workflow/plan-flow.ts';
import { answer, childEnded, childMade, childResumed, childTells, restart, resume, start, submit, to, turn, type Wish } from './commands.ts';
import { type Outcome, plainEvaluate } from './flow-simulator.ts';

export type FlowRun = {
  readonly spec: WorkflowSpec;
  readonly outcomeOf: (key: string, attempt: number) => Outcome;
  readonly log: LoggedEvent[];
  readonly faults: string[];
  readonly results: Record<string, StepResult>;
  state: SessionState;
  now: number;
};

const turnId: TurnId = turn('a');

/** `until`: it is told no later than that. */
const tell = (run: FlowRun, wish: Wish, until = Number.POSITIVE_INFINITY): boolean => {
  run.now += 1;
  const decision = decide(run.state, { ...wish, at: Math.min(run.now, until) } as Command);
  if (!decision.ok) return false;
  run.state = decision.state;
  run.log.push(...decision.events);
  for (const event of decision.events) {
    if ((event.type !== 'step.updated' && event.type !== 'step.failed') || !isEnd(event.data.status) || event.data.taken !== undefined) continue;
    const { key, output } = event.data;
    const error = event.type === 'step.failed' && event.data.error_code !== undefined ? { errorCode: event.data.error_code } : {};
    run.results[key] = { ...(output === undefined ? {} : { output }), ...error };
  }
  const broken = brokenInvariant(run.state);
  if (broken !== undefined) run.faults.push(`after ${wish.type}: ${broken}`);
  return true;
};

export const newFlowRun = (spec: WorkflowSpec, outcomeOf: FlowRun['outcomeOf']): FlowRun => {
  const run: FlowRun = { spec, outcomeOf, log: [], faults: [], results: {}, state: emptyState, now: 1_000 };
  tell(run, { type: 'create', target: 'workflow' });
  tell(run, submit('a'));
  tell(run, start());
  return run;
};

const plan = (run: FlowRun): Wish | undefined => {
  const flow = run.state.live?.flow;
  if (!flow) return undefined;
  const { keys, maps } = resultsNeeded(flow);
  const needed = Object.entries(run.results).filter(([key]) => keys.includes(key) || maps.some((map) => key.startsWith(`${map}.`)));
  const env = { run: { input: null, id: turnId }, nodes: Object.fromEntries(needed) };
  const moves = planFlow({ spec: run.spec, flow, openChildren: childrenCounted(run.state), now: run.now, env, evaluate: plainEvaluate });
  return { type: 'advance_flow', moves };
};

const endOf = (run: FlowRun, { key, attempt, childId }: FlowStep): Wish | undefined => {
  if (childId === undefined) return undefined;
  const { status, output } = run.outcomeOf(key, attempt);
  if (status === 'succeeded') return childTells(childId, { is: { status: 'completed', output: [], ...(output === undefined ? {} : { result: output }) } });
  return childEnded(childId, status === 'timed_out' ? 'timed_out' : 'failed');
};

/** One of the children that work comes to its end. */
const endChild = (run: FlowRun, pick: number): void => {
  const closing = run.state.children?.find((link) => link.closing);
  const open = run.state.live?.flow?.steps.filter(({ status, childId }) => status === 'running' && childId !== undefined) ?? [];
  const step = open[pick % Math.max(open.length, 1)];
  const wish = closing ? childEnded(closing.id, 'cancelled') : step && endOf(run, step);
  if (wish) tell(run, wish);
};

/** Somebody answers what is open, or nobody in time. */
const answerOne = (run: FlowRun, pick: number): boolean => {
  const open = run.state.live?.openActions ?? [];
  const action = open[pick % Math.max(open.length, 1)];
  const step = run.state.live?.flow?.steps.find(({ requestId }) => requestId !== undefined && requestId === action?.id);
  if (!action || !step) return false;
  const { status, output = null } = run.outcomeOf(step.key, step.attempt);
  if (status === 'timed_out' && action.expiresAt !== undefined) {
    run.now = Math.max(run.now, action.expiresAt);
    return tell(run, { type: 'expire', requestId: action.id });
  }
  const approved = status === 'succeeded';
  const payload = action.kind === 'approval' ? ({ kind: 'approval', approved } as const) : ({ kind: 'signal', payload: output } as const);
  // Where the table says that somebody answers, time that others took does not make it too late.
  const until = action.expiresAt === undefined ? undefined : action.expiresAt - 1;
  return tell(run, { ...answer('a', to(action.id, payload)), commandId: `cmd_${run.now}` }, until);
};

const doOfChild = (run: FlowRun, { step, childId }: Extract<Work, { kind: 'child' }>, pick: number): void => {
  switch (step) {
    case 'make':
      tell(run, childMade(childId));
      break;
    case 'close':
      tell(run, childEnded(childId, 'cancelled'));
      break;
    case 'pause':
      // It tells so when its turn may have gone on already.
      if (pick % 3 === 0) tell(run, resume('a'));
      tell(run, childTells(childId, { is: { status: 'interrupted', paused: true } }));
      break;
    case 'resume':
      tell(run, childResumed(childId));
      break;
  }
};

/** People pause the turn, or let it go on. */
const pauseOrResume = (run: FlowRun): boolean =>
  tell(run, run.state.live?.flow?.paused ? resume('a') : { type: 'pause', turnId, commandId: `cmd_pause_${run.now}` });

const perform = (run: FlowRun, work: Work, pick: number): void => {
  if ('notBefore' in work && work.notBefore !== undefined) run.now = Math.max(run.now, work.notBefore);
  switch (work.kind) {
    case 'flow': {
      const wish = plan(run);
      // The process dies before it reports what it planned.
      if (pick % 5 === 0) tell(run, { type: 'end_run', cause: pick % 2 === 0 ? 'lost' : 'handed_over' });
      else if (wish && tell(run, wish) && pick % 7 === 0) tell(run, { type: 'end_run', cause: 'lost' });
      break;
    }
    case 'wake':
      tell(run, { type: 'wake_flow' });
      break;
    case 'restart':
      tell(run, restart({ alone: work.alone }));
      break;
    case 'child':
      doOfChild(run, work, pick);
      break;
    case 'await':
      endChild(run, pick);
      break;
    default:
      run.faults.push(`nobody does ${work.kind} of a workflow`);
  }
};

/** What may be done now; times that are not there yet only when nothing else may. Whether somebody answers in time is the table's to say. */
const choices = (run: FlowRun): readonly Work[] => {
  const works = pendingWork(run.state).filter(({ kind }) => kind !== 'expire');
  const now = works.filter((work) => !('notBefore' in work) || (work.notBefore ?? 0) <= run.now);
  return now.length > 0 ? now : works;
};

/** Lets everything happen until the turn has ended; false where it does not. */
export const runToEnd = (run: FlowRun, next: () => number): boolean => {
  for (let n = 0; n < 4_000; n += 1) {
    if (!run.state.live) return true;
    const works = choices(run);
    const pick = next();
    const asks = run.state.live.openActions.length > 0;
    const rests = run.state.live.flow?.paused === true;
    if (rests ? works.length === 0 || pick % 4 === 0 : pick % 13 === 0) pauseOrResume(run);
    else if (asks && (works.length === 0 || pick % 3 === 0)) answerOne(run, next());
    else {
      const work = works[pick % Math.max(works.length, 1)];
      if (!work) return false;
      perform(run, work, next());
    }
  }
  return false;
};
