/**
 * The function of migration 2 with all that applications need: three counters an owner, open actions, audit entries.
 *
 * Its rules, locks and encoding are those that migration 2 tells of, and so are its verdicts; new is 7: as 5, for running
 * turns. A batch that moves no quota, has no action and brings no audit entry pays for none of them.
 */
export const writeFunction2 = `
create function turnkeeper_write_2(
  wait boolean,
  w_sid bigint[], w_kind int[], w_state_seq bigint[], w_fence bigint[], w_wn bigint[],
  w_events int[], w_stateful int[], w_due bigint[], w_hold int[], w_node text[],
  q_owner text[], q_unfinished bigint[], q_running bigint[], q_tokens bigint[], q_unfinished_limit bigint[], q_running_limit bigint[],
  s_w int[], s_body text[],
  e_w int[], e_k int[], e_turn bigint[], e_type text[], e_at bigint[], e_data text[],
  r_w int[], r_kind text[], r_id text[], r_first int[], r_last int[], r_base int[], r_at bigint[], r_body text[],
  c_w int[], c_k int[], c_body text[],
  news json, patches json, receipts_in json, payloads_in json, checkpoints_in json, actions_in json, audit_in json
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
  held_unfinished bigint[];
  held_running bigint[];
  held_tokens bigint[];
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
  if cardinality(q_owner) > 0 then
    owners := array(select distinct x.owner collate "C" from unnest(q_owner) with ordinality as x(owner, w) where x.owner is not null and verdicts[x.w] = 0 order by 1);
    insert into quotas (owner, count)
      select x.owner, 0 from unnest(owners) with ordinality as x(owner, k)
      where not exists (select from quotas where quotas.owner = x.owner) order by x.k
      on conflict do nothing;
    for h in select count, running, tokens from quotas where owner = any(owners) order by owner for update loop
      held_unfinished := held_unfinished || h.count;
      held_running := held_running || h.running;
      held_tokens := held_tokens || h.tokens;
    end loop;
    for i in 1..n loop
      if verdicts[i] = 0 and q_owner[i] is not null then
        o := array_position(owners, q_owner[i]);
        if q_unfinished[i] > 0 and held_unfinished[o] + q_unfinished[i] > q_unfinished_limit[i] then
          verdicts[i] := 5;
          counts[i] := held_unfinished[o];
        elsif q_running[i] > 0 and held_running[o] + q_running[i] > q_running_limit[i] then
          verdicts[i] := 7;
          counts[i] := held_running[o];
        else
          held_unfinished[o] := held_unfinished[o] + q_unfinished[i];
          held_running[o] := held_running[o] + q_running[i];
          held_tokens[o] := held_tokens[o] + q_tokens[i];
        end if;
      end if;
    end loop;
    update quotas set count = x.unfinished, running = x.running, tokens = x.tokens
      from unnest(owners, held_unfinished, held_running, held_tokens) as x(owner, unfinished, running, tokens)
      where quotas.owner = x.owner and (quotas.count, quotas.running, quotas.tokens) <> (x.unfinished, x.running, x.tokens);
  end if;

  -- Everything that is refused is known: only what is accepted is written.
  if news is not null then
    insert into configs (ref, body)
      select distinct on (x.config_ref) x.config_ref, x.config from json_to_recordset(news) as x(w int, config_ref text, config text)
      where verdicts[x.w] = 0 and not exists (select from configs where configs.ref = x.config_ref) order by x.config_ref
      on conflict do nothing;
    insert into sessions (sid, id, owner, root, path, placement, config_ref, title, title_folded, metadata, metadata_folded, status, archived_at, deleted_at, created_at, updated_at)
      select sids[x.w], x.id, x.owner, x.root, x.path, x.placement, x.config_ref, x.title, x.title_folded, x.metadata, x.metadata_folded, x.status, x.archived_at,
        x.deleted_at, x.created_at, x.updated_at
      from json_to_recordset(news) as x(w int, id text, owner text, root text, path text, placement text, config_ref text, title text, title_folded text, metadata text, metadata_folded text,
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

  if actions_in is not null then
    insert into open_actions (sid, n, owner, kind, opened_at, named)
      select resources.sid, resources.n, sessions.owner, x.kind, resources.last_at, x.approvers is not null
      from json_to_recordset(actions_in) as x(w int, id text, is_open boolean, kind text, approvers text[])
        join resources on resources.sid = sids[x.w] and resources.id = x.id join sessions on sessions.sid = resources.sid
      where verdicts[x.w] = 0 and x.is_open
      on conflict do nothing;
    insert into action_approvers (sid, n, user_id, opened_at)
      select open_actions.sid, open_actions.n, approver, open_actions.opened_at
      from json_to_recordset(actions_in) as x(w int, id text, is_open boolean, approvers text[])
        join resources on resources.sid = sids[x.w] and resources.id = x.id
        join open_actions on open_actions.sid = resources.sid and open_actions.n = resources.n
        cross join unnest(x.approvers) as approver
      where verdicts[x.w] = 0 and x.is_open
      on conflict do nothing;
    -- Who was named goes along.
    delete from open_actions using json_to_recordset(actions_in) as x(w int, id text, is_open boolean), resources
      where verdicts[x.w] = 0 and not x.is_open and resources.sid = sids[x.w] and resources.id = x.id
        and open_actions.sid = resources.sid and open_actions.n = resources.n;
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
      metadata_folded = case when x.patch::jsonb ? 'metadata' then x.patch ->> 'metadataFolded' else metadata_folded end,
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
    delete from open_actions using json_to_recordset(patches) as x(w int, patch json)
    where open_actions.sid = sids[x.w] and verdicts[x.w] = 0 and x.patch ->> 'deletedAt' is not null;
  end if;

  if receipts_in is not null then
    insert into receipts (scope, key, hash, answer, at, sid)
      select x.scope, x.key, x.hash, x.answer, x.at, sids[x.w]
      from json_to_recordset(receipts_in) as x(w int, scope text, key text, hash text, answer text, at bigint) where verdicts[x.w] = 0;
  end if;

  if audit_in is not null then
    insert into audit (id, at, actor, actor_name, credential_id, address, action, subject, session_id, details)
      select x.id, x.at, x.actor, x.actor_name, x.credential_id, x.address, x.action, x.subject, x.session_id, x.details
      from json_to_recordset(audit_in) as x(w int, id text, at bigint, actor text, actor_name text, credential_id text, address text, action text, subject text,
        session_id text, details text)
      where verdicts[x.w] = 0;
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
`;
