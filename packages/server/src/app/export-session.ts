/**
 * Use case: a session's public log, from its oldest kept event to where it stands now.
 *
 * EX1 Every public event that is kept, once, in order, as one line of JSON each; nothing private. It ends where the log stood
 *     when it began, whatever comes meanwhile.
 * EX2 It is read in pages as they are taken: a reader that stops holds one page.
 * EX3 A session that is deleted meanwhile, or forgets what is not yet read, ends the export without its end.
 */
import { cursorOf } from '@turnkeeper/core/protocol/cursors';
import { envelopeText, schemaVersion } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { sessionGone } from './find-session.ts';
import { readLogPage } from './log-pages.ts';
import { type Opened, openStream } from './read-events.ts';
import { sessionResource } from './session-resource.ts';

/** The first line of an archive: what a session is besides its events. Its type is one that readers of events pass over. */
const headerLine = ({ session, head, stream }: Opened): string => {
  // That it is a record here says nothing of the session: an export of an import is the export that it was.
  const { imported: _, ...resource } = sessionResource(session.row, session.config);
  return `${JSON.stringify({
    schema_version: schemaVersion,
    id: `exp_${session.row.id}`,
    type: 'session.export',
    session_id: session.row.id,
    created_at: session.row.createdAt,
    cursor: cursorOf(stream, head.horizon),
    data: { session: resource, as_of: cursorOf(stream, head.seq) },
  })}\n`;
};

/** Throws `not_found` and its like at once; the lines are read as they are taken. `archive`: with the line that an import needs. */
export const exportSession = async (
  app: App,
  caller: Caller,
  sessionId: string,
  options: { readonly archive: boolean },
): Promise<AsyncGenerator<string, void, undefined>> => {
  const opened = await openStream(app, caller, sessionId, undefined);
  return linesOf(app, opened, options.archive);
};

async function* linesOf(app: App, opened: Opened, archive: boolean): AsyncGenerator<string, void, undefined> {
  const { session, head, stream } = opened;
  const { sid, seq: upto } = head;
  if (archive) yield headerLine(opened);
  for (let after = opened.floor; after < upto; ) {
    const { rows } = await readLogPage(app.sessions.store, { sid, after, upto });
    const last = rows.at(-1)?.seq;
    const now = await app.sessions.newest(sid);
    if (!now || now.row.deletedAt !== null) throw sessionGone();
    if (now.head.horizon > after) throw new TurnkeeperError('cursor_expired', 'What was still to be exported is no longer kept.');
    if (last === undefined) return;
    yield `${rows.map((row) => envelopeText(session.row.id, stream, row)).join('\n')}\n`;
    after = last;
  }
}
