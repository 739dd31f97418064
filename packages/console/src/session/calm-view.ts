import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import { useRef } from 'react';

/** What changes with every token of an answer. */
const restless: ReadonlySet<string> = new Set<keyof SessionSnapshot>(['items', 'as_of']);

/** The view of before while nothing has changed but what is said: what shows no messages needs not be drawn with each token. */
export const calmAfter = (before: SessionSnapshot | undefined, next: SessionSnapshot | undefined): SessionSnapshot | undefined => {
  if (before === undefined || next === undefined) return next;
  const names = Object.keys(next) as (keyof SessionSnapshot)[];
  if (names.length !== Object.keys(before).length) return next;
  return names.every((name) => restless.has(name) || before[name] === next[name]) ? before : next;
};

/** Its messages are those of a moment that is past: for all that does not read them. */
export const useCalmView = (view: SessionSnapshot | undefined): SessionSnapshot | undefined => {
  const last = useRef(view);
  last.current = calmAfter(last.current, view);
  return last.current;
};
