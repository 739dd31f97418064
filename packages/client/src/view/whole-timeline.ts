/**
 * The timeline of a session over all parts of it that are here: what its view holds, and what is older.
 *
 * While an answer streams only the newest turns are put together anew: what is older stays the same object.
 */
import type { SessionSnapshot } from '../calls/sessions.ts';
import { createLiveTimeline } from './live-timeline.ts';
import type { OlderLists } from './older-parts.ts';
import { type TimelineTurn, timelineOf } from './timeline.ts';

type Older = OlderLists & { readonly hasMore: boolean };

/** A turn that begins in what is older and goes on in the view. */
const joined = (older: TimelineTurn, live: TimelineTurn): TimelineTurn => {
  if (live.entries.length === 0 && (live.turn ?? older.turn) === older.turn) return older;
  const known = new Set(live.entries.map(({ key }) => key));
  return { turnId: live.turnId, turn: live.turn ?? older.turn, entries: [...older.entries.filter(({ key }) => !known.has(key)), ...live.entries] };
};

/** Turns of which not even a message is here are older than what is shown. */
const fromFirstMessage = (turns: readonly TimelineTurn[]): readonly TimelineTurn[] => {
  const first = turns.findIndex(({ entries }) => entries.some(({ kind }) => kind === 'message'));
  return first === -1 ? turns : turns.slice(first);
};

type Last = Pick<SessionSnapshot, 'tools' | 'turns'> & { readonly older: Older; readonly made: readonly TimelineTurn[] };

/** All calls, older ones first: the same list until either part changes. */
const createAllTools = (): ((view: SessionSnapshot, older: Older) => SessionSnapshot['tools']) => {
  let last: { readonly of: SessionSnapshot['tools']; readonly above: Older['tools']; readonly all: SessionSnapshot['tools'] } | undefined;
  return ({ tools }, older) => {
    if (older.tools.length === 0) return tools;
    if (last?.of !== tools || last.above !== older.tools) last = { of: tools, above: older.tools, all: [...older.tools, ...tools] };
    return last.all;
  };
};

/** One for each session that is shown: it remembers what it made of the older parts, and of the view before. */
export const createWholeTimeline = (): ((view: SessionSnapshot, older: Older) => readonly TimelineTurn[]) => {
  let last: Last | undefined;
  const allTools = createAllTools();
  const liveTimeline = createLiveTimeline();
  const olderTurns = (view: SessionSnapshot, older: Older, tools: SessionSnapshot['tools']): readonly TimelineTurn[] => {
    if (last?.older !== older || last.tools !== view.tools || last.turns !== view.turns) {
      const begun = new Set(older.items.map(({ data }) => data.turn_id));
      const turns = [...older.turns, ...view.turns.filter(({ data }) => begun.has(data.turn_id))];
      last = { older, tools: view.tools, turns: view.turns, made: timelineOf({ ...view, items: older.items, turns, tools, required_actions: [] }) };
    }
    return last.made;
  };
  return (view, older) => {
    const tools = allTools(view, older);
    const live = liveTimeline(tools === view.tools ? view : { ...view, tools });
    const above = older.items.length + older.turns.length === 0 ? [] : olderTurns(view, older, tools);
    const liveById = new Map(live.map((turn) => [turn.turnId, turn]));
    const known = new Set(above.map(({ turnId }) => turnId));
    const all = [
      ...above.map((turn) => {
        const goesOn = liveById.get(turn.turnId);
        return goesOn ? joined(turn, goesOn) : turn;
      }),
      ...live.filter(({ turnId }) => !known.has(turnId)),
    ];
    return older.hasMore ? fromFirstMessage(all) : all;
  };
};
