/**
 * What applications need: three counters an owner, open actions across sessions, the audit log, search in metadata; and
 * the write function that keeps them.
 *
 * Nodes of the release before may still write while this one is being put in place, with the function that they know:
 * nothing is renamed (`quotas.count` is the count of unfinished turns), and new columns have a default. Such a node does
 * not know the list of open actions: one that it opens after this migration is missing there (its session shows it), and
 * one that it resolves stays, which is why readers look at the body. Nor does it count running turns and tokens.
 *
 * Open actions are a table of their own and not a partial index of `resources`: a body that an index looks at could no
 * longer be rewritten in place (a HOT update), which each step does many times. The table holds no content. `named`: it
 * names its approvers, who are a table of their own, so that what waits for somebody is found without all that does not.
 * What an action is is read from its body by the node that writes it: JSON text may hold escapes that PostgreSQL's own
 * functions refuse (NUL, half of a surrogate pair), and a write must not fail for them. Nor must this migration.
 *
 * `metadata_folded` is the metadata in lower case as JavaScript has it, null where that changes nothing; of sessions that
 * the release before wrote the database's lower case is looked at instead.
 */
import type { Migration } from '../migrate.ts';
import { writeFunction2 } from './0004-write-function-2.ts';

const tables = `
alter table quotas add column running bigint not null default 0, add column tokens bigint not null default 0;

alter table sessions add column metadata_folded text;

create table open_actions (
  sid bigint not null,
  n bigint not null,
  owner text collate "C" not null,
  kind text collate "C" not null,
  opened_at bigint not null,
  named boolean not null,
  primary key (sid, n)
);
create index open_actions_by_owner on open_actions (owner, kind, opened_at, sid, n) where not named;
create index open_actions_by_kind on open_actions (kind, opened_at, sid, n) where not named;

create table action_approvers (
  sid bigint not null,
  n bigint not null,
  user_id text collate "C" not null,
  opened_at bigint not null,
  primary key (sid, n, user_id),
  foreign key (sid, n) references open_actions on delete cascade
);
create index action_approvers_by_user on action_approvers (user_id, opened_at, sid, n);

create table audit (
  id text collate "C" primary key,
  at bigint not null,
  actor text collate "C" not null,
  actor_name text not null,
  credential_id text collate "C",
  address text,
  action text collate "C" not null,
  subject text collate "C" not null,
  session_id text collate "C",
  details text not null
);
create index audit_by_subject on audit (subject, id);
create index audit_by_session on audit (session_id, id) where session_id is not null;
create index audit_by_actor on audit (actor, id);

do $fill$
declare
  a record;
  about json;
begin
  for a in
    select resources.sid, resources.n, sessions.owner, resources.last_at, resources.body from resources join sessions using (sid)
    where kind = 'required_action' and deleted_at is null and body ~ '"status":"open","created_at":[0-9]+}$'
  loop
    begin
      about := regexp_replace(a.body, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g');
    exception when others then
      about := '{}';
    end;
    insert into open_actions (sid, n, owner, kind, opened_at, named)
      values (a.sid, a.n, a.owner, coalesce(about ->> 'kind', ''), a.last_at, coalesce(json_typeof(about -> 'approver') = 'array', false));
    if json_typeof(about -> 'approver') = 'array' then
      insert into action_approvers (sid, n, user_id, opened_at)
        select distinct a.sid, a.n, approver, a.last_at from json_array_elements_text(about -> 'approver') as approver;
    end if;
  end loop;
end
$fill$;
`;

export const applications: Migration = { version: 4, name: 'applications', sql: tables + writeFunction2 };
