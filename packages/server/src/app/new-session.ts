/**
 * From what a new session begins with to the one write that makes it.
 *
 * Owns: that a session and all that it begins with (its first turn, another session's context) exist together or not at all.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { writtenState } from '@turnkeeper/core/session/formats';
import { dueAt } from '@turnkeeper/core/session/pending-work';
import { emptyState } from '@turnkeeper/core/session/state';
import type { NewSession, ReceiptWrite, SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { type FrozenConfig, rulesOf } from './frozen-config.ts';
import { extrasOf, type Job, type Plan, type Prepared, prepare } from './lane-batch.ts';
import { buildWrite } from './lane-write.ts';
import { ResourceCache } from './resource-cache.ts';

export type Beginning = {
  readonly row: Omit<SessionRow, 'sid'>;
  readonly config: FrozenConfig;
  /** Its asks begin with `create`. */
  readonly plan: Plan;
  /** Of the call that makes it; told the row as it will be. */
  readonly receipts: (row: SessionRow) => readonly ReceiptWrite[];
};

export const newSession = (
  app: Pick<App, 'sessions'>,
  { row, config, plan, receipts }: Beginning,
): { readonly session: NewSession; readonly prepared: Prepared } => {
  const { formats } = app.sessions;
  const job: Job = { plan: () => plan, fence: undefined, row: false, resolve: () => {}, reject: () => {} };
  const situation = {
    state: { ...emptyState, v: formats.next(emptyState, true) },
    row: { ...row, sid: 0 },
    rules: rulesOf(config),
    at: row.createdAt,
    held: undefined,
    inputs: new Map(),
  };
  const prepared = prepare({ ...situation, ...app.sessions.situation({ row, config }) }, [job]);
  if (prepared.decided.length === 0) throw new TurnkeeperError('internal_error', 'A new session refused what it was to begin with.');
  const { rows } = buildWrite(prepared.batch, new ResourceCache(), formats.formats);
  const begun = { ...row, status: rows.session?.status ?? row.status };
  const written = receipts({ ...begun, sid: 0 });
  const { after } = prepared.batch;
  const { session: _changes, checkpoints: settled = [], ...facts } = rows;
  const { session: _plan, checkpoints: planned = [], ...extras } = extrasOf(prepared);
  const checkpoints = [...settled, ...planned];
  return {
    prepared,
    session: {
      row: begun,
      config: { ref: row.configRef, body: JSON.stringify(config) },
      write: {
        ...facts,
        ...extras,
        state: { body: writtenState(formats.formats, after.v, after), due: dueAt(after) },
        ...(checkpoints.length > 0 ? { checkpoints } : {}),
        ...(written.length > 0 ? { receipts: written } : {}),
        ...(prepared.hold ? { hold: prepared.hold } : {}),
      },
    },
  };
};
