/** Which sessions have something new that nobody has looked at: what mini-tools keep in their containers, and nothing else. */
import type { SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { isChild } from './is-child.ts';

/** By their numbers. Nothing is asked where none can be. */
export const unreadAmong = async ({ minitools }: Pick<App, 'minitools'>, rows: readonly SessionRow[]): Promise<ReadonlySet<number>> =>
  minitools.marked(rows.filter((row) => row.placement.startsWith('container:') && !isChild(row)).map(({ sid }) => sid));
