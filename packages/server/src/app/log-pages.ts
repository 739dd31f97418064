/**
 * The log in pages, for those who lag or ask for history.
 *
 * B6 A page is bounded by rows and by bytes: a log of large rows fills no memory with what one reader has not read yet.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { SessionStore } from '../ports/session-store.ts';

/** Beyond this a page has one row more at most. */
export const pageBytes = 4 * 1024 * 1024;
const pageRows = 500;

export type LogPage = {
  readonly rows: readonly LogRow[];
  /** It ends at one of its bounds: there may be more. */
  readonly full: boolean;
};

export const readLogPage = async (
  store: SessionStore,
  query: { readonly sid: number; readonly after: number; readonly upto?: number; readonly limit?: number; readonly turn?: number },
): Promise<LogPage> => {
  const { limit = pageRows } = query;
  const rows = await store.events({ ...query, limit, maxBytes: pageBytes });
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.data), 0);
  return { rows, full: rows.length >= limit || bytes >= pageBytes };
};
