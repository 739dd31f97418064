/**
 * Child sessions as their parent decides on them: delegating, what a child tells, and what becomes of its outcome.
 *
 * CH4 At most 96 children of a session are open, or have results that were not used: what is asked beyond them is refused,
 *     with a result.
 * CH5 An action of a child is shown in the turn that waits for the child, while it is open; it is never answered here.
 * CH7 A report says how the child is, and only what differs from what is known here becomes a fact: told twice is told once.
 * CH10 A report that was read before one which changed something here is told too late: it changes nothing.
 * CH8 The outcome of a child is used once: as the result of the call that waits for it, or as an input. That of a child which
 *     was to be cancelled is only noted.
 */
import type { OutputBlock } from '../../protocol/content.ts';
import { refuse } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { textOf } from '../../protocol/text-of.ts';
import type { ChildName, ChildReport } from '../child-report.ts';
import type { Command, PieceTerms } from '../commands.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import type { ToolEnd } from '../events.ts';
import { childrenCounted, isOfChild, linkOf } from '../evolve-children.ts';
import type { ChildOutcome, ChildStatus } from '../family-events.ts';
import { childInputId, childSessionId, childTurnId, parentTurnOf, runId, type TurnId } from '../ids.ts';
import { type CallState, type ChildLink, maxChildActions, maxChildren, type SessionState } from '../state.ts';
import { completeCall, resolved } from './closing.ts';
import { stepOfChildEnded } from './flow.ts';
import { judgeEnded } from './outcome.ts';
import { beginPiece, pieceEnded, pieceOutput, pieceStarted, stepOfLink } from './pieces.ts';
import { goOn } from './waiting.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

const text = (value: string): readonly OutputBlock[] => [{ type: 'text', text: value }];

/** A call to a child: from here on the child is owed. */
export const delegate = (out: Draft, call: CallState, input: JsonObject, terms?: PieceTerms): void => {
  const { id: turn_id, runs } = out.live();
  if (childrenCounted(out.state()) >= maxChildren) {
    completeCall(out, call, 'error', text(`Not started: ${maxChildren} children of this session are open. Wait until some have ended.`));
    return;
  }
  const n = (out.state().spawned ?? 0) + 1;
  const child_session_id = childSessionId(turn_id, n);
  // A child has one turn, so there is no later one for a result: it waits for its own children. A team's turn does that by itself (TQ2).
  const background = input['background'] === true && (!out.state().parent || out.state().target === 'team') ? ({ background: true } as const) : {};
  const ref = { turn_id, execution_id: turn_id, tool_call_id: call.id, run_id: runId(turn_id, runs), name: call.name, input };
  out.emit({ type: 'tool.dispatched', data: { ...ref, child_session_id, ...background } });
  beginPiece(out, { childId: child_session_id, n, input, terms });
};

type InTurn = { readonly turn_id?: TurnId };

/** Of the turn that made the child, while that is live: nothing of a turn follows its outcome (S11). */
const turnOfLink = ({ live }: SessionState, link: ChildLink): InTurn => (live && live.id === parentTurnOf(link.id) ? { turn_id: live.id } : {});

const refOf = (out: Draft, link: ChildLink) => ({
  ...turnOfLink(out.state(), link),
  child_session_id: link.id,
  child_turn_id: childTurnId(link.id),
});

const callOf = (out: Draft, link: ChildLink): CallState | undefined =>
  out.state().live?.calls.find((call) => call.status === 'delegated' && call.childId === link.id);

/** The child exists. A call that does not wait for it is answered by that. */
const started = (out: Draft, link: ChildLink, { name, agentId, path }: ChildName): void => {
  const background = link.background ? ({ background: true } as const) : {};
  pieceStarted(out, link);
  out.emit({ type: 'subagent.started', data: { ...refOf(out, link), name, agent_id: agentId, path, ...background } });
  // Its turn may have slept until now, or waited for people meanwhile (TQ7).
  if (link.notBefore !== undefined) follow(out, link);
  const call = link.background ? callOf(out, link) : undefined;
  if (!call) return;
  completeCall(
    out,
    call,
    'success',
    text(`${name} works on it in the background as ${stepOfLink(link) ?? link.id}. You will be told its result when it is there.`),
  );
  goOn(out);
};

export const decideChildMade = (state: SessionState, command: Of<'child_made'>): Decision => {
  const link = linkOf(state, command.childId);
  if (link?.status !== 'owed') return refuse('turn_closed', 'No such child is owed.');
  const out = draft(state, command.at);
  started(out, link, command);
  return out.done();
};

/** Whatever it is by now, it tells; until then it works (CH9). */
export const decideChildResumed = (state: SessionState, command: Of<'child_resumed'>): Decision => {
  const link = linkOf(state, command.childId);
  if (!link?.resume) return refuse('turn_closed', 'No such child is to go on.');
  const out = draft(state, command.at);
  out.emit({ type: 'subagent.updated', data: { ...refOf(out, link), status: 'running', resumed: true } });
  follow(out, link);
  return out.done();
};

export const decideChildReport = (state: SessionState, { childId, report, at }: Of<'child_report'>): Decision => {
  const out = draft(state, at);
  const known = linkOf(state, childId);
  // It has been told before (CH7), or something newer was (CH10).
  if (!known || isStale(known, report)) return out.done();
  // It may tell before it was noted that it exists.
  if (known.status === 'owed') started(out, known, report);
  const link = linkOf(out.state(), childId) ?? known;
  const news = showActions(out, link, report);
  if ('output' in report.is) ended(out, link, report.name, report.is);
  else updated(out, link, { ...report.is, news, asOf: report.asOf });
  return out.done();
};

const isStale = ({ heard = 0 }: ChildLink, { asOf }: ChildReport): boolean => asOf !== undefined && asOf < heard;

/** The child's open actions in the turn that waits for it. Whether any is new, or closed. */
const showActions = (out: Draft, link: ChildLink, { actions: told, closed, is }: ChildReport): boolean => {
  const turn = out.state().live;
  if (!turn || turn.id !== parentTurnOf(link.id)) return false;
  // One that has ended asks nobody any more, whatever was read of it: what stayed open here could never be answered.
  const actions = 'output' in is ? [] : told;
  const open = new Set(actions.map((action) => action.request_id));
  const shown = turn.openActions.filter((action) => action.childId !== undefined && isOfChild(link, action.childId));
  const over = shown.filter(({ id }) => !open.has(id));
  for (const action of over) {
    const { resolution = 'cancelled', resolvedBy } = closed[action.id] ?? {};
    const by = resolvedBy === undefined ? {} : { resolved_by: resolvedBy };
    out.emit({ type: 'required_action.resolved', data: { ...resolved(turn.id, action, resolution), ...by } });
  }
  if (turn.cancelRequested || link.closing) return over.length > 0;
  const known = new Set(shown.map(({ id }) => id));
  const room = maxChildActions - out.live().openActions.filter(({ childId }) => childId !== undefined).length;
  const added = actions.filter(({ request_id }) => !known.has(request_id)).slice(0, Math.max(0, room));
  for (const action of added) out.emit({ type: 'required_action.created', data: { turn_id: turn.id, ...action } });
  return over.length + added.length > 0;
};

/** Moves the turn along with a child that it waits for; a workflow's also with others, which may have been in its way. */
const follow = (out: Draft, link: ChildLink): void => {
  const { live } = out.state();
  if (live && (live.flow || live.id === parentTurnOf(link.id))) goOn(out);
};

type Update = { readonly status: ChildStatus; readonly until?: number; readonly paused?: true; readonly news: boolean; readonly asOf: number | undefined };

const updated = (out: Draft, link: ChildLink, { status, until, paused, news, asOf }: Update): void => {
  // Noted with news of its actions, too, so that what was read before it is known as such.
  if (link.status !== status || link.until !== until || news) {
    const more = { ...(until === undefined ? {} : { until }), ...(paused ? { paused } : {}), ...(asOf === undefined ? {} : { child_as_of: asOf }) };
    out.emit({ type: 'subagent.updated', data: { ...refOf(out, link), status, ...more } });
  }
  // Also where only an action of the child has closed: it may have been all that kept the turn from being interrupted (CH9).
  follow(out, link);
};

type Ended = Extract<ChildReport['is'], { readonly output: unknown }>;

const ended = (out: Draft, link: ChildLink, name: string, is: Ended): void => {
  const { status, output, errorCode } = is;
  const call = callOf(out, link);
  const error = errorCode === undefined ? {} : { error_code: errorCode };
  if (pieceEnded(out, link, is)) {
    // Another child works on it from now on, and the call waits for that one.
    out.emit({ type: 'subagent.completed', data: { ...refOf(out, link), status, ...error } });
    follow(out, link);
    return;
  }
  // While its link is there the call may wait for it, so the call comes first.
  if (call && !link.background) completeCall(out, call, endOf(status), pieceOutput(link, name, status, output));
  stepOfChildEnded(out, link.id, is);
  judgeEnded(out, link.id, is);
  const { closing, background } = linkOf(out.state(), link.id) ?? link;
  out.emit({ type: 'subagent.completed', data: { ...refOf(out, link), status, ...error } });
  if (background && !closing) out.emit({ type: 'input.accepted', data: resultInput(link, name, status, output) });
  follow(out, link);
};

const endOf = (status: ChildOutcome): ToolEnd => {
  switch (status) {
    case 'completed':
    case 'partial_succeeded':
      return 'success';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
    case 'timed_out':
    case 'gone':
      return 'error';
  }
};

const resultInput = (link: ChildLink, name: string, status: ChildOutcome, output: readonly OutputBlock[]) => {
  const told = textOf(pieceOutput(link, name, status, output));
  const said = link.piece ? told : `[Result of ${name}, which worked in the background as ${link.id}: ${status}]\n${told}`;
  return { input_id: childInputId(link.id), kind: 'subagent' as const, input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: said }] }] };
};

/** Of a child: what its parent knows by now. */
export const decideParentTold = (state: SessionState, { news, at }: Of<'parent_told'>): Decision => {
  const out = draft(state, at);
  if (state.parent && news > state.parent.told) out.emit({ type: 'session.parent_told', data: { news } });
  return out.done();
};
