/**
 * Brings a database to this version's tables.
 *
 * N1 Each migration is applied once, in order, in a transaction of its own with the note that it was.
 * N2 A database that a newer version has written is refused and left as it is.
 */
import type { DatabaseSync } from 'node:sqlite';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import * as initial from './migrations/0001-initial.ts';
import * as applications from './migrations/0002-applications.ts';
import * as catalog2 from './migrations/0003-catalog-2.ts';
import * as signInLinks from './migrations/0004-sign-in-links.ts';
import * as formats from './migrations/0005-formats.ts';
import * as files from './migrations/0006-files.ts';
import * as webhooks from './migrations/0007-webhooks.ts';
import * as retention from './migrations/0008-retention.ts';
import * as childSessions from './migrations/0009-child-sessions.ts';
import * as budgets from './migrations/0010-budgets.ts';
import * as schedules from './migrations/0011-schedules.ts';
import * as minitools from './migrations/0012-minitools.ts';
import * as teamsWorkflows from './migrations/0013-teams-workflows.ts';
import * as webhookSendings from './migrations/0014-webhook-sendings.ts';

export type Migration = { readonly name: string; readonly statements: readonly string[] };

export const migrations: readonly Migration[] = [
  initial,
  applications,
  catalog2,
  signInLinks,
  formats,
  files,
  webhooks,
  retention,
  childSessions,
  budgets,
  schedules,
  minitools,
  teamsWorkflows,
  webhookSendings,
];

/** Applies what is missing; returns the names of what was applied. */
export const migrate = (db: DatabaseSync, known: readonly Migration[] = migrations): readonly string[] => {
  db.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT');
  const applied = db
    .prepare('SELECT name FROM migrations ORDER BY name')
    .all()
    .map((row) => String(row['name']));
  const newer = applied.filter((name) => !known.some((migration) => migration.name === name));
  if (newer.length > 0) {
    throw new TurnkeeperError(
      'storage_unavailable',
      `The database was written by a newer version of Turnkeeper (it has ${newer.join(', ')}). Use that version, or restore a backup.`,
      { newer },
    );
  }
  const missing = known.filter((migration) => !applied.includes(migration.name));
  for (const { name, statements } of missing) {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const statement of statements) db.exec(statement);
      db.prepare("INSERT INTO migrations (name, applied_at) VALUES (?, datetime('now'))").run(name);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
  return missing.map(({ name }) => name);
};
