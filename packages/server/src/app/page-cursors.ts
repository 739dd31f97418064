/**
 * Positions in lists of resources.
 *
 * A page cursor names a session, a list and a place; it is good for 15 minutes and is no event cursor.
 */
import { pageCursorOf, readPageCursor } from '@turnkeeper/core/protocol/cursors';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { App } from './app.ts';

export const listedKinds = {
  items: 'item',
  tools: 'tool',
  turns: 'turn',
  runs: 'run',
  required_actions: 'required_action',
  action_commands: 'command',
  inputs: 'input',
  artifacts: 'artifact',
  subagents: 'subagent',
  steps: 'step',
} as const;
export type ResourceList = keyof typeof listedKinds;
export const resourceLists = Object.keys(listedKinds) as readonly ResourceList[];

const lifetimeMs = 15 * 60_000;

/** After the resource at place `n`, towards newer ones; or before it, towards older ones. */
export type Place = { readonly backward: boolean; readonly n: number };

const listName = (sid: number, list: ResourceList): string => `${sid.toString(36)}-${list}`;

/** A cursor of a list; `after` says in the list's own words where its next page begins. */
export const listCursor = (app: App, list: string, after: string): string => pageCursorOf(list, after, app.clock.now());

/** What a list's cursor says, as the list reads it (undefined = it does not). Throws `invalid_cursor` or `page_expired`. */
export const afterOf = <After>(app: App, list: string, cursor: string, parse: (after: string) => After | undefined): After => {
  const read = readPageCursor(list, cursor);
  const after = read && parse(read.after);
  if (!read || after === undefined) throw new TurnkeeperError('invalid_cursor', 'This is not a page cursor of this list. Page cursors are no event cursors.');
  if (app.clock.now() - read.madeAt > lifetimeMs)
    throw new TurnkeeperError('page_expired', 'The page cursor is older than 15 minutes. Begin again with the first page.');
  return after;
};

export const placeCursor = (app: App, sid: number, list: ResourceList, place: Place): string =>
  listCursor(app, listName(sid, list), `${place.backward ? 'b' : 'a'}${place.n}`);

const placeFrom = (after: string): Place | undefined => {
  const found = /^([ab])(\d{1,15})$/.exec(after);
  return found ? { backward: found[1] === 'b', n: Number(found[2]) } : undefined;
};

/** The cursor of the page before what begins at place `n`: what a snapshot gives beside `has_more`. */
export const olderCursor = (app: App, sid: number, list: ResourceList, n: number): string => placeCursor(app, sid, list, { backward: true, n });

/** Throws `invalid_cursor` or `page_expired`. */
export const placeOf = (app: App, sid: number, list: ResourceList, cursor: string | undefined): Place => {
  if (cursor === undefined) return { backward: false, n: 0 };
  return afterOf(app, listName(sid, list), cursor, placeFrom);
};
