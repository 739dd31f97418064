/**
 * What the writer is asked to do, in a form that crosses threads cheaply: JSON stays text and the events of a write
 * are one flat array, so that a structured clone has few objects to walk.
 */
import type { Loaded, NewSession, Write, WriteResult } from '../../ports/session-store.ts';
import type { SqlRow, SqlStatement } from '../catalog/catalog-database.ts';

/** Turn, type, at, data of each event, one after the other. */
export type FlatEvents = readonly (string | number)[];
export const eventWidth = 4;

export type FlatWrite = Omit<Write, 'events'> & { readonly events: FlatEvents };
export type FlatCreate = {
  readonly row: NewSession['row'];
  readonly config: NewSession['config'];
  readonly write: Omit<FlatWrite, 'sid' | 'guard' | 'session'>;
};

export type Operation =
  | { readonly kind: 'write'; readonly write: FlatWrite }
  | { readonly kind: 'create'; readonly create: FlatCreate }
  /** `except`: owners, as JSON text. */
  | {
      readonly kind: 'claim';
      readonly node: string;
      readonly now: number;
      readonly limit: number;
      readonly except: string;
      readonly reads: number;
      readonly leaveHosted: boolean;
      readonly leaseNow: number;
    }
  | { readonly kind: 'heartbeat'; readonly node: string; readonly leaseMs: number; readonly leaseNow: number; readonly reads: number }
  | { readonly kind: 'leave'; readonly node: string; readonly alive: boolean }
  /** A new boot of the one process: nobody of an earlier boot lives. */
  | { readonly kind: 'boot' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'sql'; readonly statements: readonly SqlStatement[] };

export type Claimed = { readonly loaded: Loaded; readonly orphaned: boolean; readonly dropped: boolean };

/** What each operation answers. */
export type Answers = {
  write: WriteResult;
  create: WriteResult;
  claim: readonly Claimed[];
  heartbeat: boolean;
  leave: null;
  boot: null;
  ping: null;
  sql: readonly (readonly SqlRow[])[];
};
export type OperationKind = Operation['kind'];
export type Answer = Answers[OperationKind];

/** One operation's end in a batch that was committed: its answer, or why it could not be carried out at all. */
export type Outcome = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly message: string };

/** A batch is committed whole or not at all; `unknown`: a failed commit may have been written all the same. */
export type BatchResult =
  | { readonly kind: 'committed'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'failed'; readonly fault: string; readonly unknown: boolean };

const flatEvents = (events: Write['events']): FlatEvents => {
  const flat: (string | number)[] = [];
  for (const { turn, type, at, data } of events) flat.push(turn, type, at, data);
  return flat;
};

export const writeOperation = (write: Write): Extract<Operation, { kind: 'write' }> => ({
  kind: 'write',
  write: { ...write, events: flatEvents(write.events) },
});

export const createOperation = ({ row, config, write }: NewSession): Extract<Operation, { kind: 'create' }> => ({
  kind: 'create',
  create: { row, config, write: { ...write, events: flatEvents(write.events) } },
});
