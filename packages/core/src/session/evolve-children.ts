/**
 * The fold of child sessions: a parent's links to its open children, and what a child has to tell its parent.
 *
 * CH1 A link is in the state from the intent (`tool.dispatched`) to the child's outcome (`subagent.completed`): as long as
 *     anything is owed about the child.
 * CH2 A turn that is asked to cancel closes all its children; one that ends otherwise closes those that it waited for.
 * PZ1 With a turn the workflows in it are paused, and those in them: one that is not made yet is not made, and of none a further step
 *     begins. With it they go on.
 * PZ2 A child that was paused when its turn had gone on already goes on, too: nobody would think of it.
 * CH3 A child has told all that its parent must know when `told` has reached `news`.
 */
import type { EventData, EventOf, LoggedEvent } from './events.ts';
import { flowDue } from './flow.ts';
import { isSessionId, parentTurnOf } from './ids.ts';
import { type CallState, type ChildLink, type LiveTurn, maxChildren, type SessionState } from './state.ts';

/** Open children, and results of children that were not used yet: what `maxChildren` bounds. */
export const childrenCounted = ({ children = [], inputs = [] }: SessionState): number =>
  children.length + inputs.filter(({ ofChild }) => ofChild === true).length;

export const linkOf = (state: SessionState, childId: string | undefined): ChildLink | undefined =>
  childId === undefined ? undefined : state.children?.find(({ id }) => id === childId);

/** The child itself, or one of its own children. */
export const isOfChild = (link: ChildLink, sessionId: string): boolean => sessionId === link.id || sessionId.startsWith(`${link.id}-`);

const withChildren = (state: SessionState, children: readonly ChildLink[]): SessionState => {
  if (children.length > 0) return { ...state, children };
  const { children: _, ...rest } = state;
  return rest;
};

const changeLink = (state: SessionState, childId: string, change: (link: ChildLink) => ChildLink): SessionState =>
  linkOf(state, childId)
    ? withChildren(
        state,
        (state.children ?? []).map((link) => (link.id === childId ? change(link) : link)),
      )
    : state;

/** A call that a child is to answer: the link is owed from here on. */
export const childIntended = (state: SessionState, data: EventData<'tool.dispatched'>): SessionState => {
  const { child_session_id: id, tool_call_id, background } = data;
  const { live, children = [] } = state;
  if (id === undefined || !isSessionId(id) || live?.id !== data.turn_id || linkOf(state, id) || children.length >= maxChildren) return state;
  const calls = live.calls.map((call): CallState => (call.id === tool_call_id ? { ...call, status: 'delegated', childId: id } : call));
  const link: ChildLink = { id, status: 'owed', ...(background ? { background } : {}) };
  return { ...state, spawned: (state.spawned ?? 0) + 1, live: { ...live, calls }, children: [...children, link] };
};

const childStarted = (state: SessionState, { child_session_id }: EventData<'subagent.started'>): SessionState =>
  changeLink(state, child_session_id, (link) => (link.status === 'owed' ? { ...link, status: 'running' } : link));

const childUpdated = (state: SessionState, data: EventData<'subagent.updated'>): SessionState => {
  const { child_session_id, status, until, resumed, paused, child_as_of } = data;
  return changeLink(state, child_session_id, ({ resume, hold: _, until: __, ...link }) => {
    const isHeld = isPausedWith(state, link);
    // News that leaves it as it was lets it go on no less.
    const goesOn = (resume === true && !resumed && status === link.status) || (paused === true && !isHeld);
    return {
      ...link,
      status,
      ...(until === undefined ? {} : { until }),
      ...(goesOn ? { resume: true as const } : {}),
      ...(isHeld && status !== 'interrupted' ? { hold: true as const } : {}),
      ...(child_as_of === undefined ? {} : { heard: child_as_of }),
    };
  });
};

/** Whether it is a workflow of a turn that is paused (PZ1). */
const isPausedWith = ({ live }: SessionState, link: ChildLink): boolean =>
  live?.flow?.paused === true && link.flow === true && !link.closing && parentTurnOf(link.id) === live.id;

/** With a turn that is paused (PZ1). One that stands still already is paused as it is, and is to go on no more. */
export const childrenHolding = (state: SessionState): SessionState => {
  if (!state.children?.some((link) => isPausedWith(state, link))) return state;
  const held = ({ resume: _, ...link }: ChildLink): ChildLink => (link.status === 'interrupted' ? link : { ...link, hold: true });
  return withChildren(
    state,
    state.children.map((link) => (isPausedWith(state, link) ? held(link) : link)),
  );
};

/** With a turn go on the children that were stopped as it was, and those that were to be (PZ1). */
export const childrenResuming = (state: SessionState): SessionState =>
  state.children
    ? withChildren(
        state,
        state.children.map(({ hold: _, ...link }) => (link.status === 'interrupted' && !link.closing ? { ...link, resume: true } : link)),
      )
    : state;

const childCompleted = (state: SessionState, { child_session_id }: EventData<'subagent.completed'>): SessionState =>
  linkOf(state, child_session_id)
    ? withChildren(
        state,
        (state.children ?? []).filter(({ id }) => id !== child_session_id),
      )
    : state;

export const childChanged = (state: SessionState, event: EventOf<'subagent.started' | 'subagent.updated' | 'subagent.completed'>): SessionState => {
  switch (event.type) {
    case 'subagent.started':
      return childStarted(state, event.data);
    case 'subagent.updated':
      return childUpdated(state, event.data);
    case 'subagent.completed':
      return childCompleted(state, event.data);
  }
};

/** `all`: those that work in the background, too (CH2). */
export const childrenClosing = (state: SessionState, turnId: string, all: boolean): SessionState => {
  const closes = (link: ChildLink): boolean => parentTurnOf(link.id) === turnId && (all || link.background !== true) && link.closing !== true;
  return state.children?.some(closes)
    ? withChildren(
        state,
        state.children.map((link) => (closes(link) ? { ...link, closing: true } : link)),
      )
    : state;
};

/** True while the turn has nothing to do but wait for its children: whoever loses its run lost nothing. */
export const onlyAwaits = (state: SessionState, { calls, flow, check }: LiveTurn): boolean =>
  check?.judge !== undefined ||
  (flow
    ? flowDue(flow, childrenCounted(state)) !== 0
    : calls.some(({ status }) => status === 'delegated') && calls.every(({ status }) => status !== 'requested' && status !== 'dispatched'));

/** A session knows what it is made of, and a child whose it is, from the first event on. */
export const bornOf = (state: SessionState, data: EventData<'session.status_created'>): SessionState => {
  const { target, max_parallel } = data;
  const parallel = typeof max_parallel === 'number' ? { maxParallel: max_parallel } : {};
  return withParent(target === 'team' || target === 'workflow' ? { ...state, target, ...parallel } : state, data);
};

const withParent = (state: SessionState, data: EventData<'session.status_created'>): SessionState => {
  const parent = data['parent'];
  if (typeof parent !== 'object' || parent === null || !('session_id' in parent)) return state;
  const id = parent['session_id'];
  return typeof id === 'string' && isSessionId(id) ? { ...state, parent: { id, news: 0, told: 0 } } : state;
};

/** What a parent must hear of: what waits for people, whether its child waits or works, and how it ended. */
const isNews = (event: LoggedEvent): boolean => {
  switch (event.type) {
    case 'turn.queued':
      return event.data.reason !== 'accepted' && event.data.reason !== 'reordered';
    case 'required_action.created':
    case 'required_action.resolved':
    case 'turn.requires_action':
    case 'turn.interrupted':
    case 'turn.completed':
    case 'turn.partial_succeeded':
    case 'turn.failed':
    case 'turn.cancelled':
    case 'turn.timed_out':
      return true;
    default:
      return false;
  }
};

/** A workflow or a team that slept works again with its next run. */
const wakes = ({ target }: SessionState, { type }: LoggedEvent): boolean => target !== undefined && type === 'turn.running';

export const withNews = (state: SessionState, event: LoggedEvent): SessionState =>
  state.parent && (isNews(event) || wakes(state, event)) ? { ...state, parent: { ...state.parent, news: state.parent.news + 1 } } : state;

export const parentTold = (state: SessionState, { news }: EventData<'session.parent_told'>): SessionState =>
  state.parent && news > state.parent.told ? { ...state, parent: { ...state.parent, told: Math.min(news, state.parent.news) } } : state;
