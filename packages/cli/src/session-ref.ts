/** Sessions as people name them: a whole id, a unique beginning of one, or `@last`. */
import type { Client } from '@turnkeeper/client/create-client';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { UsageError } from './exit-codes.ts';
import { programName } from './program-name.ts';

const pageLimit = 200;
/** A prefix is looked for among this many of the newest sessions. */
const mostPages = 5;

async function* everySession(client: Client, status: 'active' | 'all'): AsyncGenerator<SessionResource> {
  let offset = 0;
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next_offset } = await client.sessions.list({ status, offset, limit: pageLimit });
    yield* items;
    if (next_offset === null) return;
    offset = next_offset;
  }
}

/** Of one's own: a member of a busy application does not mean a stranger's, nor what a mini-tool has put among one's own. */
const lastSession = async (client: Client): Promise<SessionResource> => {
  let newest: SessionResource | undefined;
  const { items } = await client.sessions.list({ owner: 'me', limit: pageLimit });
  for (const session of items) if (session.activity === undefined && (!newest || session.updatedAt > newest.updatedAt)) newest = session;
  if (!newest) throw new UsageError(`There is no session yet. Begin one with: ${programName} chat`);
  return newest;
};

/** Throws UsageError when nothing, or more than one session, fits. */
export const resolveSession = async (client: Client, ref = '@last'): Promise<SessionResource> => {
  if (ref === '@last') return lastSession(client);
  const fits: SessionResource[] = [];
  for await (const session of everySession(client, 'all')) {
    if (session.id === ref) return session;
    if (session.id.startsWith(ref) || session.id.startsWith(`ses_${ref}`)) fits.push(session);
  }
  if (fits.length > 1)
    throw new UsageError(
      `"${ref}" fits ${fits.length} sessions: ${fits
        .slice(0, 4)
        .map((session) => session.id)
        .join(', ')}${fits.length > 4 ? ' …' : ''}`,
    );
  const [found] = fits;
  // Older than what was looked through: the server knows whole ids all the same.
  return (
    found ??
    client.sessions.get(ref).catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code === 'not_found') throw new UsageError(`There is no session "${ref}". List them with: ${programName} ls`);
      throw error;
    })
  );
};

/** The shortest beginning that is still easy to copy; long enough to be unique in practice. */
export const shortId = (id: string, others: readonly string[]): string => {
  for (let length = Math.min(12, id.length); length < id.length; length += 1) {
    const start = id.slice(0, length);
    if (others.every((other) => other === id || !other.startsWith(start))) return start;
  }
  return id;
};
