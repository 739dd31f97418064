import type { SessionRow } from '../ports/session-store.ts';

/** A session that another one made: its root is not itself. */
export const isChild = ({ id, root }: Pick<SessionRow, 'id' | 'root'>): boolean => id !== root;
