/**
 * In which format a session is, and which formats a node reads (core's session/formats.ts). What there is is of the first.
 *
 * The index still covers the search for what can be claimed.
 */
export const name = '0005-formats';

export const statements: readonly string[] = [
  'ALTER TABLE heads ADD COLUMN v INTEGER NOT NULL DEFAULT 1',
  'ALTER TABLE nodes ADD COLUMN reads INTEGER NOT NULL DEFAULT 1',
  'DROP INDEX heads_due',
  'CREATE INDEX heads_due ON heads (owner, due, node, v) WHERE due IS NOT NULL',
];
