/** The timeline of a view that moves on: while one message grows, all turns but its own stay the same objects. */
import type { ItemBody } from '@turnkeeper/core/view/item';
import type { Resource, SessionView } from '@turnkeeper/core/view/session-view';
import { type MessageEntry, messageOf, type TimelineTurn, timelineOf } from './timeline.ts';

type Item = Resource<ItemBody>;
type Items = readonly Item[];
type Made = { readonly view: SessionView; readonly turns: readonly TimelineTurn[] };

const sameElse = (before: SessionView, next: SessionView): boolean =>
  before.turns === next.turns && before.tools === next.tools && before.required_actions === next.required_actions;

/** The one item that is another object than before, with what it was; undefined when it is not just one. */
const changedItem = (before: Items, next: Items): { readonly was: Item; readonly now: Item } | undefined => {
  if (before.length !== next.length) return undefined;
  const differs = (item: Item, at: number): boolean => item !== before[at];
  const at = next.findLastIndex(differs);
  const [was, now] = [before[at], next[at]];
  return was && now && next.findIndex(differs) === at ? { was, now } : undefined;
};

const entryOf = ({ data, created_at }: Item) => messageOf(data, created_at);

/** The turns with the message as it is now; undefined where it was not in them. */
const withMessage = (turns: readonly TimelineTurn[], turnId: string, message: MessageEntry): readonly TimelineTurn[] | undefined => {
  const turnAt = turns.findLastIndex((turn) => turn.turnId === turnId);
  const turn = turns[turnAt];
  const at = turn?.entries.findLastIndex(({ key }) => key === message.key) ?? -1;
  return turn && at !== -1 ? turns.with(turnAt, { ...turn, entries: turn.entries.with(at, message) }) : undefined;
};

/** One for each view that is followed. */
export const createLiveTimeline = (): ((view: SessionView) => readonly TimelineTurn[]) => {
  let last: Made | undefined;
  const movedOn = (view: SessionView): readonly TimelineTurn[] | undefined => {
    if (!last || !sameElse(last.view, view)) return undefined;
    if (last.view.items === view.items) return last.turns;
    const changed = changedItem(last.view.items, view.items);
    const message = changed && entryOf(changed.was) && entryOf(changed.now);
    return message && withMessage(last.turns, changed.now.data.turn_id, message);
  };
  return (view) => {
    last = { view, turns: movedOn(view) ?? timelineOf(view) };
    return last.turns;
  };
};
