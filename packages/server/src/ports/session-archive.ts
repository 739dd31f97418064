/**
 * Port: brings back a session as it was exported.
 *
 * Contract
 * SA1 All of it is there or none: one transaction. Its number, and so its cursors and the ids of its events, are those that it
 *     had; nothing is overwritten: `taken` when its id or its number is in use.
 * SA2 It needs no runner, holds no private context, and moves no counter.
 * SA3 Its log is old news: subscriptions of its application, also those that are made at the same moment, begin at its end.
 * SA4 No session that is made meanwhile gets its number, nor one that was given out before.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { AuditRow } from './catalog.ts';
import type { SessionRow } from './session-store.ts';

export type ArchivedResource = {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly lastSeq: number;
  readonly baseSeq: number;
  readonly lastAt: number;
  readonly body: string;
};

export type ArchivedSession = {
  readonly row: SessionRow;
  readonly config: { readonly ref: string; readonly body: string };
  readonly state: string;
  /** The format that the state says. */
  readonly format: number;
  readonly seq: number;
  readonly stateSeq: number;
  readonly events: readonly Omit<LogRow, 'sid'>[];
  readonly resources: readonly ArchivedResource[];
};

export interface SessionArchive {
  /** `audit` is written with it, or not at all (G5). */
  bringBack(session: ArchivedSession, audit: AuditRow): Promise<'done' | 'taken'>;
}
