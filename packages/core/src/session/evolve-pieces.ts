/**
 * The fold of a team's pieces: what a fact about a step makes of the child that works on it.
 *
 * TQ3 A piece that is tried again keeps its step, its call and its place: a child of its own works on each attempt, one at a time.
 * TQ4 A step that failed for good is remembered until it, or one that does it again, has succeeded.
 */
import type { EventData } from './events.ts';
import { isSessionId } from './ids.ts';
import { type CallState, type ChildLink, type LiveTurn, maxFailedPieces, type Piece, type SessionState } from './state.ts';

type StepData = EventData<'step.updated'> | EventData<'step.failed'>;

const pieceOf = ({ key, attempt, retry, of }: StepData): Piece => ({
  ...{ key, attempt },
  ...(retry === undefined ? {} : { left: retry.left, backoffMs: retry.backoff_ms }),
  ...(of === undefined ? {} : { of }),
});

/** What the step stands for: itself, or the one that it does again. */
const subjectOf = ({ children = [] }: SessionState, { key, of }: StepData): string => of ?? children.find(({ piece }) => piece?.key === key)?.piece?.of ?? key;

const withFailed = ({ failedPieces: _, ...live }: LiveTurn, keys: readonly string[]): LiveTurn => (keys.length > 0 ? { ...live, failedPieces: keys } : live);

const failed = (state: SessionState, live: LiveTurn, data: StepData): LiveTurn => {
  const known = live.failedPieces ?? [];
  const key = subjectOf(state, data);
  return known.includes(key) || known.length >= maxFailedPieces ? live : withFailed(live, [...known, key]);
};

const succeeded = (state: SessionState, live: LiveTurn, data: StepData): LiveTurn => {
  const key = subjectOf(state, data);
  return live.failedPieces?.includes(key)
    ? withFailed(
        live,
        live.failedPieces.filter((entry) => entry !== key),
      )
    : live;
};

/** The next attempt takes the place of the one before (TQ3). */
const delayed = (state: SessionState, live: LiveTurn, { key, attempt, child_session_id: id, until }: StepData): SessionState => {
  const { children = [] } = state;
  const before = children.find(({ piece }) => piece?.key === key);
  if (!before?.piece || id === undefined || !isSessionId(id) || children.some((link) => link.id === id)) return state;
  const { left = 0, ...piece } = before.piece;
  const next: ChildLink = {
    ...{ id, status: 'owed', piece: { ...piece, attempt, left: Math.max(0, left - 1) } },
    ...(before.background ? { background: true } : {}),
    ...(until === undefined ? {} : { notBefore: until }),
  };
  const calls = live.calls.map((call): CallState => (call.childId === before.id ? { ...call, childId: id } : call));
  return { ...state, spawned: (state.spawned ?? 0) + 1, live: { ...live, calls }, children: children.map((link) => (link === before ? next : link)) };
};

/** The child that was intended works on this piece. */
const begun = (state: SessionState, data: StepData): SessionState =>
  state.children?.some(({ id, piece }) => id === data.child_session_id && !piece)
    ? { ...state, children: state.children.map((link) => (link.id === data.child_session_id ? { ...link, piece: pieceOf(data) } : link)) }
    : state;

export const pieceChanged = (state: SessionState, data: StepData): SessionState => {
  const { live } = state;
  if (live?.id !== data.turn_id) return state;
  switch (data.status) {
    case 'running':
      return begun(state, data);
    case 'delayed':
      return delayed(state, live, data);
    case 'succeeded':
      return { ...state, live: succeeded(state, live, data) };
    case 'failed':
    case 'timed_out':
    case 'rejected':
      // It is tried again.
      return data.until === undefined ? { ...state, live: failed(state, live, data) } : state;
    case 'waiting':
    case 'sleeping':
    case 'cancelled':
    case 'skipped':
      return state;
  }
};
