/**
 * The first tables: names and meaning are those of the SQLite store.
 *
 * Key texts collate as "C": equal means equal bytes, prefixes are ranges, and no locale changes an order.
 * Rows that are rewritten often leave room on their page (fillfactor), so that an update needs no new index entry.
 * `title_folded` is the title in lower case as JavaScript has it: what a search finds must not depend on the locale
 * that the database was made with.
 * `heads.gone` repeats `sessions.deleted_at`, so that refusing a late write needs no second table.
 * No foreign keys: rows are written together by one function, and checking them again costs a quarter of the rate.
 */
import type { Migration } from '../migrate.ts';

export const tables: Migration = {
  version: 1,
  name: 'tables',
  sql: `
create sequence session_sids as bigint;

create table heads (
  sid bigint primary key,
  seq bigint not null,
  state_seq bigint not null,
  horizon bigint not null,
  fence bigint not null,
  node text,
  wn bigint not null,
  owner text collate "C" not null,
  due bigint,
  gone boolean not null
) with (fillfactor = 50);
create index heads_due on heads (owner, due) where due is not null;
create index heads_held on heads (node) where node is not null;

create table states (
  sid bigint primary key,
  body text not null
) with (fillfactor = 50);

create table sessions (
  sid bigint primary key,
  id text collate "C" not null unique,
  owner text collate "C" not null,
  root text collate "C" not null,
  path text collate "C" not null,
  placement text collate "C" not null,
  config_ref text collate "C" not null,
  title text not null,
  title_folded text not null,
  metadata text not null,
  status text collate "C" not null,
  archived_at bigint,
  deleted_at bigint,
  created_at bigint not null,
  updated_at bigint not null
) with (fillfactor = 80);
create index sessions_newest on sessions (created_at desc, sid desc) where deleted_at is null;
create index sessions_by_placement on sessions (placement, created_at desc, sid desc) where deleted_at is null;
create index sessions_by_owner on sessions (owner, created_at desc, sid desc) where deleted_at is null;

create table configs (
  ref text collate "C" primary key,
  body text not null
);

create table events (
  sid bigint not null,
  seq bigint not null,
  turn bigint not null,
  type text collate "C" not null,
  at bigint not null,
  data text not null,
  primary key (sid, seq)
);

create table resources (
  sid bigint not null,
  kind text collate "C" not null,
  n bigint not null,
  id text collate "C" not null,
  last_seq bigint not null,
  base_seq bigint not null,
  last_at bigint not null,
  body text not null,
  primary key (sid, kind, n),
  unique (sid, id)
) with (fillfactor = 70);

create table payloads (
  sid bigint not null,
  n bigint not null,
  body text not null,
  primary key (sid, n)
);

create table context (
  sid bigint not null,
  n bigint not null,
  body text not null,
  primary key (sid, n)
);

create table checkpoints (
  sid bigint not null,
  upto bigint not null,
  id text collate "C" not null,
  turn bigint not null,
  reason text not null,
  at bigint not null
);
create index checkpoints_of_session on checkpoints (sid, upto);

create table receipts (
  scope text collate "C" not null,
  key text collate "C" not null,
  hash text not null,
  answer text not null,
  at bigint not null,
  sid bigint not null,
  primary key (scope, key)
);
create index receipts_of_session on receipts (sid);

create table quotas (
  owner text collate "C" primary key,
  count bigint not null
) with (fillfactor = 50);

create table nodes (
  id text collate "C" primary key,
  boot text not null,
  lease_until timestamptz not null
) with (fillfactor = 50);
`,
};
