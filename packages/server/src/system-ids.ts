/** Identifiers from UUIDv7: unique, and sorted by time as the server's clock has it, on every node alike. */
import { V7Generator } from 'uuidv7';
import type { Clock } from './ports/clock.ts';
import type { Ids } from './ports/ids.ts';

export const createIds = (clock: Pick<Clock, 'now'>): Ids => {
  const generator = new V7Generator();
  const fresh = (): string => generator.generateOrResetWithTs(clock.now()).toHex();
  return {
    session: () => `ses_${fresh()}`,
    turn: () => `turn_${fresh()}`,
    next: (prefix) => `${prefix}_${fresh()}`,
  };
};
