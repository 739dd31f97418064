/**
 * Ids of traces and spans that any node can work out.
 *
 * TT1 A turn's trace, the span of the turn and those of its runs have ids that follow from the turn's id alone: what another
 *     node does after a crash joins the same trace, under a parent that may be written long after.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { InRun } from '../ports/telemetry.ts';

const digest = (of: string, bytes: number): string =>
  createHash('sha256')
    .update(of)
    .digest('hex')
    .slice(0, bytes * 2);

export const traceIdOf = (turnId: TurnId): string => digest(`trace ${turnId}`, 16);
export const turnSpanId = (turnId: TurnId): string => digest(`turn ${turnId}`, 8);
export const runSpanId = (turnId: TurnId, run: number): string => digest(`run ${turnId} ${run}`, 8);
export const stepSpanId = ({ turnId, run, step, tries }: Omit<InRun, 'sessionId'>): string =>
  digest(`step ${turnId} ${run} ${step}${tries ? ` ${tries}` : ''}`, 8);
/** Of what has no part below it. */
export const freshSpanId = (): string => randomBytes(8).toString('hex');
