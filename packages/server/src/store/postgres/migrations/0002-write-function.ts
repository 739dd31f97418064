/**
 * The function that commits a batch of writes: one autocommit statement, one round trip, one fsync for all of them.
 *
 * Why a function and not one statement with data-modifying CTEs: a statement sees the database as of its start. Under
 * a head's lock it would read the newest head, but receipts and quotas as they were before the lock, so that a key
 * used by another node a moment ago would be missed (W5), and refusing one of several writes of an owner in order is
 * no join. Inside a function each statement sees what is committed by then, and a refused write is left out before
 * anything is written: nothing has to be undone (W6).
 *
 * Locks, always in this order, so that batches of any number of nodes cannot deadlock: heads by sid (a locked one is
 * skipped unless \`wait\`), advisory locks on the receipts' keys by number, quotas by owner. The advisory lock makes
 * looking up a key and taking it one step; it is held until the commit is durable.
 *
 * Hot rows (events, states, resources, context) come as arrays; what a session has once or a turn once comes as JSON.
 * \`w\` is a write's place in the batch, from 1. Verdicts: 0 ok, 1 gone, 2 conflict, 3 fenced, 4 receipt, 5 quota,
 * 6 skipped (its head is locked elsewhere: try again). -1 stands for an absent number: an array
 * without nulls is read in constant time.
 *
 * The name carries a number: a changed function gets a new one, so that nodes of two releases can share a database.
 */
import type { Migration } from '../migrate.ts';

export const writeFunction: Migration = {
  version: 2,
  name: 'write-function',
  sql: `
create function turnkeeper_write_1(
  wait boolean,
  w_sid bigint[], w_kind int[], w_state_seq bigint[], w_fence bigint[], w_wn bigint[],
  w_events int[], w_stateful int[], w_due bigint[], w_hold int[], w_node text[],
  w_owner text[], w_delta int[], w_limit bigint[],
  s_w int[], s_body text[],
  e_w int[], e_k int[], e_turn bigint[], e_type text[], e_at bigint[], e_data text[],
  r_w int[], r_kind text[], r_id text[], r_first int[], r_last int[], r_base int[], r_at bigint[], r_body text[],
  c_w int[], c_k int[], c_body text[],
  news json, patches json, receipts_in json, payloads_in json, checkpoints_in json
) returns table (
  w int, verdict int, sid bigint, seq bigint, state_seq bigint, horizon bigint, fence bigint, node text, wn bigint, due bigint,
  quota bigint, receipt text
) language plpgsql as $body$
#variable_conflict use_column
declare
  n int := cardinality(w_sid);
  sids bigint[] := w_sid;
  verdicts int[] := array_fill(null::int, array[n]);
  bases bigint[] := array_fill(null::bigint, array[n]);
  counts bigint[] := array_fill(null::bigint, array[n]);
  found text[] := array_fill(null::text, array[n]);
  owners text[];
  held bigint[];
  h record;
  i int;
  o int;
begin
  -- Heads, by sid; what this statement has locked itself is not skipped below.
  if wait then
    perform from heads where sid = any(w_sid) order by sid for update;
  end if;
  for h in
    select x.w, heads.* from unnest(w_sid) with ordinality as x(sid, w) join heads using (sid) order by heads.sid for update of heads skip locked
  loop
    i := h.w;
    bases[i] := h.seq;
    verdicts[i] := case
      when h.gone then 1
      when w_kind[i] = 1 and (h.fence <> w_fence[i] or h.wn <> w_wn[i]) then 3
      when w_state_seq[i] >= 0 and h.state_seq <> w_state_seq[i] then 2
      else 0 end;
  end loop;
  if array_position(verdicts, null) is not null then
    for h in select x.w, heads.sid from unnest(w_sid) with ordinality as x(sid, w) left join heads using (sid) where verdicts[x.w] is null loop
      verdicts[h.w] := case when h.sid is null then 1 else 6 end;
    end loop;
  end if;

  -- New sessions get their number; an id that is taken is a conflict.
  if news is not null then
    for h in
      select x.w, exists (select from sessions where sessions.id = x.id) as taken from json_to_recordset(news) as x(w int, id text)
    loop
      sids[h.w] := nextval('session_sids');
      bases[h.w] := 0;
      verdicts[h.w] := case when h.taken then 2 else 0 end;
    end loop;
  end if;

  -- Receipts come before the guard, which is why they may replace a conflict.
  if receipts_in is not null then
    perform pg_advisory_xact_lock(locks.number) from (
      select distinct hashtextextended(x.scope || chr(10) || x.key, 1) as number
      from json_to_recordset(receipts_in) as x(scope text, key text) order by 1
    ) as locks;
    for h in
      select x.w, json_build_object('scope', scope, 'key', key, 'hash', receipts.hash, 'answer', receipts.answer, 'at', receipts.at)::text as body
      from json_to_recordset(receipts_in) as x(w int, scope text, key text) join receipts using (scope, key) order by x.w
    loop
      if verdicts[h.w] in (0, 2, 3) and found[h.w] is null then
        verdicts[h.w] := 4;
        found[h.w] := h.body;
      end if;
    end loop;
  end if;

  -- Quotas of the writes that are still in, in the order of the batch: each sees what the ones before it took.
  if cardinality(w_owner) > 0 then
    owners := array(select distinct x.owner collate "C" from unnest(w_owner) with ordinality as x(owner, w) where x.owner is not null and verdicts[x.w] = 0 order by 1);
    insert into quotas (owner, count)
      select x.owner, 0 from unnest(owners) with ordinality as x(owner, k)
      where not exists (select from quotas where quotas.owner = x.owner) order by x.k
      on conflict do nothing;
    held := array(select count from quotas where owner = any(owners) order by owner for update);
    for i in 1..n loop
      if verdicts[i] = 0 and w_owner[i] is not null then
        o := array_position(owners, w_owner[i]);
        if w_delta[i] > 0 and held[o] + w_delta[i] > w_limit[i] then
          verdicts[i] := 5;
          counts[i] := held[o];
        else
          held[o] := held[o] + w_delta[i];
        end if;
      end if;
    end loop;
    update quotas set count = x.count from unnest(owners, held) as x(owner, count) where quotas.owner = x.owner and quotas.count <> x.count;
  end if;

  -- Everything that is refused is known: only what is accepted is written.
  if news is not null then
    insert into configs (ref, body)
      select distinct on (x.config_ref) x.config_ref, x.config from json_to_recordset(news) as x(w int, config_ref text, config text)
      where verdicts[x.w] = 0 and not exists (select from configs where configs.ref = x.config_ref) order by x.config_ref
      on conflict do nothing;
    insert into sessions
      select sids[x.w], x.id, x.owner, x.root, x.path, x.placement, x.config_ref, x.title, x.title_folded, x.metadata, x.status, x.archived_at, x.deleted_at, x.created_at, x.updated_at
      from json_to_recordset(news) as x(w int, id text, owner text, root text, path text, placement text, config_ref text, title text, title_folded text, metadata text,
        status text, archived_at bigint, deleted_at bigint, created_at bigint, updated_at bigint)
      where verdicts[x.w] = 0;
    insert into heads (sid, seq, state_seq, horizon, fence, node, wn, owner, due, gone)
      select sids[x.w], 0, 0, 0, 0, null, 0, x.owner, null, x.deleted_at is not null from json_to_recordset(news) as x(w int, owner text, deleted_at bigint) where verdicts[x.w] = 0;
  end if;

  insert into events (sid, seq, turn, type, at, data)
    select sids[x.w], bases[x.w] + x.k, x.turn, x.type, x.at, x.data
    from unnest(e_w, e_k, e_turn, e_type, e_at, e_data) as x(w, k, turn, type, at, data) where verdicts[x.w] = 0;

  if cardinality(s_w) > 0 then
    insert into states (sid, body)
      select sids[x.w], x.body from unnest(s_w, s_body) as x(w, body) where verdicts[x.w] = 0
      on conflict (sid) do update set body = excluded.body;
  end if;

  if cardinality(r_w) > 0 then
    insert into resources (sid, kind, n, id, last_seq, base_seq, last_at, body)
      select sids[x.w], x.kind, bases[x.w] + x.first, x.id, bases[x.w] + x.last, bases[x.w] + x.base, x.at, x.body
      from unnest(r_w, r_kind, r_id, r_first, r_last, r_base, r_at, r_body) as x(w, kind, id, first, last, base, at, body) where verdicts[x.w] = 0
      on conflict (sid, id) do update set last_seq = excluded.last_seq, base_seq = excluded.base_seq, last_at = excluded.last_at, body = excluded.body;
  end if;

  if cardinality(c_w) > 0 then
    insert into context (sid, n, body)
      select sids[x.w], bases[x.w] + x.k, x.body from unnest(c_w, c_k, c_body) as x(w, k, body) where verdicts[x.w] = 0;
  end if;

  if payloads_in is not null then
    insert into payloads (sid, n, body)
      select sids[x.w], x.n, x.body from json_to_recordset(payloads_in) as x(w int, n bigint, body text) where verdicts[x.w] = 0
      on conflict (sid, n) do update set body = excluded.body;
  end if;

  if checkpoints_in is not null then
    insert into checkpoints (sid, upto, id, turn, reason, at)
      select sids[x.w], bases[x.w] + w_events[x.w], x.id, x.turn, x.reason, x.at
      from json_to_recordset(checkpoints_in) as x(w int, id text, turn bigint, reason text, at bigint) where verdicts[x.w] = 0;
  end if;

  -- A member that is absent from the patch keeps its value; one that is null becomes null.
  if patches is not null then
    update sessions set
      title = coalesce(x.patch ->> 'title', title),
      title_folded = coalesce(x.patch ->> 'titleFolded', title_folded),
      metadata = coalesce(x.patch ->> 'metadata', metadata),
      status = coalesce(x.patch ->> 'status', status),
      archived_at = case when x.patch::jsonb ? 'archivedAt' then (x.patch ->> 'archivedAt')::bigint else archived_at end,
      deleted_at = case when x.patch::jsonb ? 'deletedAt' then (x.patch ->> 'deletedAt')::bigint else deleted_at end,
      updated_at = coalesce((x.patch ->> 'updatedAt')::bigint, updated_at)
    from json_to_recordset(patches) as x(w int, patch json)
    where sessions.sid = sids[x.w] and verdicts[x.w] = 0;
    update heads set gone = (x.patch ->> 'deletedAt') is not null
    from json_to_recordset(patches) as x(w int, patch json)
    where heads.sid = sids[x.w] and verdicts[x.w] = 0 and x.patch::jsonb ? 'deletedAt';
    -- Deleting a session frees the keys that it used so far; the deletion's own, below, stays.
    delete from receipts using json_to_recordset(patches) as x(w int, patch json)
    where receipts.sid = sids[x.w] and verdicts[x.w] = 0 and x.patch ->> 'deletedAt' is not null;
  end if;

  if receipts_in is not null then
    insert into receipts (scope, key, hash, answer, at, sid)
      select x.scope, x.key, x.hash, x.answer, x.at, sids[x.w]
      from json_to_recordset(receipts_in) as x(w int, scope text, key text, hash text, answer text, at bigint) where verdicts[x.w] = 0;
  end if;

  return query
    update heads set
      seq = heads.seq + w_events[x.w],
      state_seq = case w_stateful[x.w] when 1 then heads.seq + w_events[x.w] else heads.state_seq end,
      due = case w_stateful[x.w] when 1 then nullif(w_due[x.w], -1) else heads.due end,
      fence = heads.fence + (w_hold[x.w] = 1)::int,
      wn = case when w_hold[x.w] = 1 then 0 when w_kind[x.w] = 1 then heads.wn + 1 else heads.wn end,
      node = case w_hold[x.w] when 1 then w_node[x.w] when 2 then null else heads.node end
    from unnest(sids) with ordinality as x(sid, w)
    where heads.sid = x.sid and verdicts[x.w] = 0
    returning x.w::int, 0, heads.sid, heads.seq, heads.state_seq, heads.horizon, heads.fence, heads.node, heads.wn, heads.due, null::bigint, null::text;
  if not 0 = all(verdicts) then
    return query
      select x.w::int, x.verdict, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint, null::text, null::bigint, null::bigint, counts[x.w], found[x.w]
      from unnest(verdicts) with ordinality as x(verdict, w) where x.verdict <> 0;
  end if;
end
$body$;
`,
};
