/**
 * What a move takes along: every table of the store with its columns, named and held as the embedded store has them.
 *
 * Owns: which rows go, under which key they are read, and what a value is on either side. A test compares this list with
 * the tables that the migrations of both stores make: one that is missing here would be lost by a move.
 *
 * MV1 A row is the same on both sides but for what PostgreSQL cannot hold: NUL and halves of surrogate pairs in texts are
 *     U+FFFD there (storable-text.ts), and count as equal.
 * MV2 Who held a session holds it no more, but is not forgotten: its name is marked as lost, because whoever claims the
 *     session next must know that a run was under way. Fences stay: no write of an old holder is ever taken.
 */
import { foldedMetadata } from '../store/postgres/encode-batch.ts';
import { foldedTitle, storableText } from '../store/postgres/storable-text.ts';

/** `flag`: 0 or 1, a boolean in PostgreSQL. */
export type ColumnType = 'integer' | 'text' | 'flag';
export type Value = string | number | null;
/** In the order of the table's columns. */
export type Row = readonly Value[];

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  /** Its name in PostgreSQL, where that is another. */
  readonly postgres: string;
};

/** A column that PostgreSQL alone has, made from others of the row. */
export type DerivedColumn = { readonly name: string; readonly of: string; readonly make: (value: Value) => string | null };

export type Table = {
  readonly name: string;
  /** Unique; pages are read in its order. */
  readonly key: readonly Column[];
  readonly columns: readonly Column[];
  readonly derived: readonly DerivedColumn[];
};

type More = { readonly renamed?: Readonly<Record<string, string>>; readonly derived?: readonly DerivedColumn[] };

const table = (name: string, key: readonly string[], types: Readonly<Record<string, ColumnType>>, { renamed = {}, derived = [] }: More = {}): Table => {
  const columns = Object.entries(types).map(([column, type]) => ({ name: column, type, postgres: renamed[column] ?? column }));
  return { name, columns, derived, key: key.flatMap((part) => columns.filter((column) => column.name === part)) };
};

const integer = 'integer';
const text = 'text';

const ofSessions: readonly Table[] = [
  table('configs', ['ref'], { ref: text, body: text }),
  table(
    'sessions',
    ['sid'],
    {
      sid: integer,
      id: text,
      owner: text,
      root: text,
      path: text,
      placement: text,
      config_ref: text,
      title: text,
      metadata: text,
      status: text,
      archived_at: integer,
      deleted_at: integer,
      created_at: integer,
      updated_at: integer,
    },
    {
      derived: [
        { name: 'title_folded', of: 'title', make: (title) => foldedTitle(String(title)) },
        { name: 'metadata_folded', of: 'metadata', make: (metadata) => foldedMetadata(String(metadata)) },
      ],
    },
  ),
  table('heads', ['sid'], {
    sid: integer,
    seq: integer,
    state_seq: integer,
    horizon: integer,
    fence: integer,
    node: text,
    wn: integer,
    due: integer,
    owner: text,
    gone: 'flag',
    v: integer,
  }),
  table('states', ['sid'], { sid: integer, body: text }),
  table('events', ['sid', 'seq'], { sid: integer, seq: integer, turn: integer, type: text, at: integer, data: text }),
  table('resources', ['sid', 'kind', 'n'], {
    sid: integer,
    kind: text,
    n: integer,
    id: text,
    last_seq: integer,
    base_seq: integer,
    last_at: integer,
    body: text,
  }),
  table('payloads', ['sid', 'n'], { sid: integer, n: integer, body: text }),
  table('context', ['sid', 'n'], { sid: integer, n: integer, body: text }),
  table('checkpoints', ['sid', 'upto', 'id'], { sid: integer, upto: integer, id: text, turn: integer, reason: text, at: integer }),
  table('receipts', ['scope', 'key'], { sid: integer, scope: text, key: text, hash: text, answer: text, at: integer }),
  table('open_actions', ['sid', 'n'], { sid: integer, n: integer, owner: text, kind: text, opened_at: integer, named: 'flag' }),
  table('action_approvers', ['sid', 'n', 'user_id'], { sid: integer, n: integer, user_id: text, opened_at: integer }),
  table('quotas', ['owner'], { owner: text, unfinished: integer, running: integer, tokens: integer }, { renamed: { unfinished: 'count' } }),
];

const ofFiles: readonly Table[] = [
  table('files', ['id'], {
    id: text,
    session_id: text,
    name: text,
    media_type: text,
    size: integer,
    sha256: text,
    blob: text,
    path: text,
    source: text,
    key_scope: text,
    key: text,
    key_hash: text,
    created_at: integer,
  }),
  table('loose_blobs', ['blob'], { blob: text, since: integer }),
];

const ofCatalog: readonly Table[] = [
  table('users', ['id'], { id: text, username: text, display_name: text, roles: text, created_at: integer, status: text, password_hash: text }),
  table('tokens', ['id'], { id: text, user_id: text, name: text, hash: text, created_at: integer, expires_at: integer, last_used_at: integer }),
  table('agents', ['id'], {
    id: text,
    key: text,
    display_name: text,
    description: text,
    space: text,
    version: integer,
    created_at: integer,
    updated_at: integer,
  }),
  table('agent_versions', ['agent_id', 'version'], { agent_id: text, version: integer, definition: text, created_at: integer, created_by: text }),
  table('teams', ['id'], { id: text, name: text, description: text, space: text, version: integer, created_at: integer, updated_at: integer }),
  table('team_versions', ['team_id', 'version'], { team_id: text, version: integer, definition: text, created_at: integer, created_by: text }),
  table('workflows', ['id'], {
    id: text,
    name: text,
    space: text,
    draft_spec: text,
    faults: text,
    version: integer,
    revisions: integer,
    created_at: integer,
    updated_at: integer,
  }),
  table('workflow_revisions', ['id'], { id: text, workflow_id: text, n: integer, spec: text, created_at: integer, created_by: text }),
  table('spaces', ['id'], { id: text, name: text, created_at: integer }),
  table('space_members', ['space_id', 'user_id'], { space_id: text, user_id: text, role: text }),
  table('applications', ['id'], {
    id: text,
    name: text,
    description: text,
    status: text,
    max_concurrent: integer,
    token_budget: integer,
    max_unfinished: integer,
    owner_id: text,
    version: integer,
    created_at: integer,
    updated_at: integer,
  }),
  table('application_members', ['application_id', 'user_id'], { application_id: text, user_id: text, roles: text, place: integer }),
  table('credentials', ['id'], {
    id: text,
    application_id: text,
    name: text,
    prefix: text,
    hash: text,
    scopes: text,
    targets: text,
    created_at: integer,
    expires_at: integer,
    last_used_at: integer,
    revoked_at: integer,
    rotated_from: text,
  }),
  table('secrets', ['name'], { name: text, ciphertext: text, updated_at: integer, updated_by: text }),
  table('sign_in_links', ['hash'], { hash: text, user_id: text, expires_at: integer }),
  table('tool_lists', ['key'], { key: text, body: text, at: integer }),
  table('audit', ['id'], {
    id: text,
    at: integer,
    actor: text,
    actor_name: text,
    credential_id: text,
    address: text,
    action: text,
    subject: text,
    session_id: text,
    details: text,
  }),
  table('settings', ['name'], { name: text, value: text }),
];

const ofWebhooks: readonly Table[] = [
  table('webhooks', ['id'], {
    id: text,
    owner: text,
    kind: text,
    subject_sid: integer,
    session_id: text,
    turn: integer,
    turn_id: text,
    application_id: text,
    url: text,
    event_types: text,
    secrets: text,
    status: text,
    failures: integer,
    failing_sid: integer,
    next_at: integer,
    note: text,
    created_at: integer,
    created_by: text,
    deleted_at: integer,
    key_scope: text,
    key_text: text,
    key_hash: text,
  }),
  table('webhook_lanes', ['webhook_id', 'sid'], { webhook_id: text, sid: integer, seq: integer, fence: integer, node: text, lease_until: integer }),
  table('webhook_deliveries', ['webhook_id', 'sid', 'seq'], {
    webhook_id: text,
    sid: integer,
    seq: integer,
    id: text,
    session_id: text,
    turn_id: text,
    event_id: text,
    event_type: text,
    status: text,
    attempts: integer,
    response_status: integer,
    error: text,
    first_at: integer,
    last_at: integer,
    sendings: text,
  }),
  table('budgets', ['sid'], { sid: integer, max_model_calls: integer, limits: text, updated_at: integer }),
  table('budget_calls', ['sid'], { sid: integer, call: text, calls: integer }),
  table('retention', ['sid'], { sid: integer, pruned: integer, deltas: integer, next_at: integer }),
];

const ofSchedules: readonly Table[] = [
  table('schedules', ['id'], {
    id: text,
    sid: integer,
    session_id: text,
    input: text,
    cron: text,
    timezone: text,
    once_at: integer,
    on_missed: text,
    enabled: integer,
    next_at: integer,
    lease_until: integer,
    version: integer,
    created_at: integer,
    updated_at: integer,
    created_by: text,
    deleted_at: integer,
    key_scope: text,
    key_text: text,
    key_hash: text,
  }),
  table('schedule_runs', ['id'], {
    id: text,
    schedule_id: text,
    sid: integer,
    slot: integer,
    slot_until: integer,
    asked_by: text,
    outcome: text,
    code: text,
    turn_id: text,
    at: integer,
  }),
  table('client_tokens', ['id'], {
    id: text,
    hash: text,
    issuer_hash: text,
    sid: integer,
    session_id: text,
    scopes: text,
    created_at: integer,
    expires_at: integer,
  }),
];

const ofMinitools: readonly Table[] = [
  table('minitools', ['id'], {
    id: text,
    version: text,
    source: text,
    folder: text,
    manifest: text,
    status: text,
    reason: text,
    settings: text,
    consent: text,
    users: text,
    container_agents: text,
    events: integer,
    installed_at: integer,
    updated_at: integer,
  }),
  table('minitool_values', ['minitool_id', 'name'], { minitool_id: text, name: text, value: text, bytes: integer }),
  table('minitool_secrets', ['minitool_id', 'name'], { minitool_id: text, name: text, ciphertext: text, updated_at: integer }),
  table('minitool_follows', ['sid'], { sid: integer, place: integer }),
  table('minitool_events', ['minitool_id', 'sequence'], { minitool_id: text, sequence: integer, session_id: text, type: text, body: text, at: integer }),
  table('minitool_cursors', ['minitool_id', 'consumer', 'session_id'], { minitool_id: text, consumer: text, session_id: text, place: integer }),
  table('minitool_ingress', ['id'], {
    id: text,
    minitool_id: text,
    hook: text,
    key_text: text,
    order_key: text,
    headers: text,
    body: text,
    received_at: integer,
    attempts: integer,
    not_before: integer,
    waiting: integer,
    bytes: integer,
  }),
  table('minitool_slots', ['minitool_id', 'schedule'], { minitool_id: text, schedule: text, slot: integer }),
  table('budget_links', ['session_id', 'root', 'path'], { session_id: text, root: text, path: text, turn_id: text }),
  table('minitool_marks', ['sid'], { sid: integer, session_id: text, minitool_id: text, container: text, unread_since: integer }),
];

/** In an order that their references allow. */
export const tables: readonly Table[] = [...ofCatalog, ...ofSessions, ...ofWebhooks, ...ofFiles, ...ofSchedules, ...ofMinitools];

/** What does not go along, and why. */
export const leftBehind: Readonly<Record<string, string>> = {
  migrations: 'each store has its own',
  nodes: 'who held what is over with the move (MV2)',
  leases: 'who sees to what is over with the move',
  pings: 'proves that the medium takes writes, nothing else',
};

/** Columns of PostgreSQL that it fills by itself, from what goes along. */
export const madeThere: Readonly<Record<string, readonly string[]>> = { heads: ['hosted'] };

const lostMark = 'lost:';

/** As both stores take it for the name of nobody that lives. */
const lostHolder = (node: string): string => (node.startsWith(lostMark) ? node : `${lostMark}${node}`);

const canonicalValue = (value: Value): Value => (typeof value === 'string' ? storableText(value) : value);

/** As it stands on either side after a move (MV1, MV2). */
export const canonicalRow = ({ name, columns }: Table, row: Row): Row =>
  columns.map((column, at) => {
    const value = canonicalValue(row[at] ?? null);
    return name === 'heads' && column.name === 'node' && typeof value === 'string' ? lostHolder(value) : value;
  });

export const keyOf = ({ columns, key }: Table, row: Row): Row => key.map((part) => row[columns.indexOf(part)] ?? null);
