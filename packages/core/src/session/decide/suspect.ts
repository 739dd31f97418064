import type { LiveTurn } from '../state.ts';

/** Lost runs in a row, without a step between them, from which a turn is a suspect and runs alone. */
const suspectAfter = 2;

export const isSuspect = ({ lostRuns }: Pick<LiveTurn, 'lostRuns'>): boolean => lostRuns >= suspectAfter;
