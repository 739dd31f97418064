/** Identifiers from UUIDv7: unique, and sorted by time. */
import { uuidv7obj } from 'uuidv7';
import type { Ids } from './ports/ids.ts';

const fresh = (): string => uuidv7obj().toHex();

export const systemIds: Ids = {
  session: () => `ses_${fresh()}`,
  turn: () => `turn_${fresh()}`,
  next: (prefix) => `${prefix}_${fresh()}`,
};
