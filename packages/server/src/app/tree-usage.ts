/** What a session and all below it used, by what each has reported: not of one moment, so each says up to where it was read. */
import { cursorOf } from '@turnkeeper/core/protocol/cursors';
import { noUsage, sumUsage, type UsageBody } from '@turnkeeper/core/view/usage';
import type { SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';

const pageRows = 200;

type Part = { readonly id: string; readonly as_of: string; readonly usage: UsageBody };

const partOf = async (app: App, { sid, id }: SessionRow): Promise<Part | undefined> => {
  const page = await app.sessions.store.resources(sid, [{ kind: 'usage', limit: 1 }]);
  const row = page?.resources[0]?.[0];
  return page && { id, as_of: cursorOf({ kind: 'session', sid }, page.asOf), usage: row ? (JSON.parse(row.body) as UsageBody) : noUsage };
};

/** The sum, and the watermark of each session that is in it. */
export const usageBelow = async (
  app: App,
  { root, path }: SessionRow,
  first: Part,
): Promise<{ readonly data: UsageBody; readonly session_watermarks: { readonly [sessionId: string]: string } }> => {
  const parts = [first];
  for (let after = 0; ; ) {
    const rows = await app.sessions.store.descendants({ root, under: path, after, limit: pageRows });
    for (const row of rows) parts.push(...((await partOf(app, row).then((part) => (part ? [part] : []))) ?? []));
    if (rows.length < pageRows) break;
    after = rows.at(-1)?.sid ?? after;
  }
  return {
    data: parts.reduce((sum, { usage }) => sumUsage(sum, usage), noUsage),
    session_watermarks: Object.fromEntries(parts.map(({ id, as_of }) => [id, as_of])),
  };
};
