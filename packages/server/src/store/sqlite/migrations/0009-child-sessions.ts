/** Child sessions are found by the session at the top of their tree and their place in it. */
export const name = '0009-child-sessions';

export const statements: readonly string[] = [`CREATE INDEX sessions_by_root ON sessions (root, path) WHERE path <> ''`];
