/**
 * What came in lately, of each mini-tool.
 *
 * VN2 The newest 100 that were taken and the newest 100 that were refused, apart: who knows an address and no secret drives out nothing
 *     of who has it.
 * VN3 It is in memory: a log that strangers write must not grow a store. It begins anew with the process, and each node has its own.
 */
import type { Arrival, Arrivals } from '../../ports/minitool-arrivals.ts';

const mostOfEach = 100;

type Kept = { readonly taken: readonly Arrival[]; readonly refused: readonly Arrival[] };
const nothing: Kept = { taken: [], refused: [] };

export class ArrivalLog implements Arrivals {
  readonly #kept = new Map<string, Kept>();

  add(minitoolId: string, arrival: Arrival): void {
    const before = this.#kept.get(minitoolId) ?? nothing;
    const kind = arrival.outcome === 'refused' ? 'refused' : 'taken';
    this.#kept.set(minitoolId, { ...before, [kind]: [arrival, ...before[kind]].slice(0, mostOfEach) });
  }

  forget(minitoolId: string): void {
    this.#kept.delete(minitoolId);
  }

  of(minitoolId: string): readonly Arrival[] {
    const { taken, refused } = this.#kept.get(minitoolId) ?? nothing;
    return [...taken, ...refused].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }
}
