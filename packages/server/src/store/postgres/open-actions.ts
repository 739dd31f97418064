/**
 * The open actions of many sessions.
 *
 * Each filter is a range or a few of an index, read from its beginning on: what does not fit is never walked over, and what
 * fits no further than to the end of the page.
 */
import type { OpenActionRow, SessionStore } from '../../ports/session-store.ts';
import type { Reader, Statement } from './reader.ts';
import { type StoredSession, sessionColumns, sessionOf } from './rows.ts';
import { storableText } from './storable-text.ts';

const range = (table: string, filter: string): string =>
  `cross join lateral (select opened_at, sid, n from ${table} where ${filter} and (opened_at, sid, n) > ($1, $2, $3) order by opened_at, sid, n limit $4) place`;

const openActions: Statement = {
  name: 'open_actions',
  text: `select a.opened_at, r.n, r.body, ${sessionColumns} from (
      select place.* from unnest($5::text[], $6::text[]) as x(owner, kind) ${range('open_actions', 'not named and owner = x.owner and kind = x.kind')}
      union select place.* from unnest($7::text[]) as x(kind) ${range('open_actions', 'not named and kind = x.kind')}
      union select place.* from unnest($8::text[]) as x(user_id) ${range('action_approvers', 'user_id = x.user_id')}
    ) a join sessions s using (sid) join resources r on r.sid = a.sid and r.kind = 'required_action' and r.n = a.n
    order by a.opened_at, a.sid, a.n limit $4`,
};

export const readOpenActions = async (
  reader: Reader,
  { among, after, limit }: Parameters<SessionStore['openActions']>[0],
): Promise<readonly OpenActionRow[]> => {
  const ofOwner = among.flatMap((filter) => {
    if ('approver' in filter || filter.owner === undefined) return [];
    const owner = storableText(filter.owner);
    return filter.kinds.map((kind) => ({ owner, kind }));
  });
  const ofKind = among.flatMap((filter) => ('approver' in filter || filter.owner !== undefined ? [] : filter.kinds));
  const naming = among.flatMap((filter) => ('approver' in filter ? [storableText(filter.approver)] : []));
  const rows = await reader.ask<StoredSession & { opened_at: number; n: number; body: string }>(openActions, [
    ...[after?.openedAt ?? 0, after?.sid ?? 0, after?.n ?? 0, limit],
    ofOwner.map(({ owner }) => owner),
    ofOwner.map(({ kind }) => kind),
    ofKind,
    naming,
  ]);
  return rows.map((row) => ({ openedAt: row.opened_at, sid: row.sid, n: row.n, body: row.body, row: sessionOf(row) }));
};
