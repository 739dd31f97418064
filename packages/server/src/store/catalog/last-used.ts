/** When a token or key was last used: noted coarsely, since nearly every request brings one. */
import type { Access } from './catalog-access.ts';

const touchEveryMs = 60_000;

/** Notes a use, at most once a minute; a time that is earlier than the one noted changes nothing. */
export const touch = async ({ db, one, write }: Access, table: 'tokens' | 'credentials', id: string, at: number): Promise<void> => {
  // Read first: a read costs no commit.
  const row = await one(db.selectFrom(table).select('last_used_at').where('id', '=', id));
  const last = row?.['last_used_at'];
  if (!row || (last !== null && at - Number(last) < touchEveryMs)) return;
  await write(
    db
      .updateTable(table)
      .set({ last_used_at: at })
      .where('id', '=', id)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', at - touchEveryMs)])),
  );
};
