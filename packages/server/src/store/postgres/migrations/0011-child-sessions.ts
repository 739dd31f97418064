/** Child sessions are found by the session at the top of their tree and their place in it. */
import type { Migration } from '../migrate.ts';

export const childSessions: Migration = {
  version: 11,
  name: 'child-sessions',
  sql: `create index sessions_by_root on sessions (root, path) where path <> ''`,
};
