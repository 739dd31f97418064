/**
 * What limits an owner of sessions: an application's own numbers, remembered for a moment.
 *
 * Owns: which owners are counted, and how old a limit may be.
 *
 * OL1 Every application is counted, limited or not, so that a limit that is set later finds true counters. Mini-tools are counted by
 *     the one limit that all of them have (minitool-limits.ts). Users are not.
 * OL2 Looking is free. Nothing is decided for an owner whose limits were never read: `ready` waits until they were, and
 *     looking at what is unknown is a fault, never "no limit".
 * OL3 A change that was made on this node counts from the next decision on (`forget`), also where a read was under way; one
 *     of another node within 5 s.
 * OL4 Nothing is kept of an owner of whom nothing was asked for a while.
 */
import type { ApplicationRow, Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import { minitoolLimits } from './minitool-limits.ts';

export type Limits = {
  /** Most unfinished turns, over all sessions. */
  readonly unfinished?: number;
  /** Most root turns that run at once. */
  readonly running?: number;
  /** Tokens after which new turns are refused. */
  readonly tokens?: number;
};
/** Undefined: the owner is not counted. */
export type LimitsOf = (owner: string) => Limits | undefined;

export type OwnerLimits = {
  /** As last read; throws for an application whose limits were not. */
  readonly of: LimitsOf;
  /** To be waited for before a decision; undefined when what is known will do. Rejects when the store cannot be read. */
  readonly ready: (owner: string) => Promise<void> | undefined;
  /** The owner's application was changed here. */
  readonly forget: (owner: string) => void;
};

const freshMs = 5_000;
/** Longer than any decision takes that has waited for `ready`. */
const keptMs = 10 * 60_000;
const kind = 'app:';
const ofMinitools = 'minitool:';
const limitsOfMinitools: Limits = { unfinished: minitoolLimits.turns };

/** `isStale`: from before a change; whoever has waited for it before may still look. */
type Known = { readonly limits: Limits; readonly at: number; readonly isStale: boolean };
/** `taken`: what was read is known now. */
type Reading = { readonly taken: Promise<boolean> };

export const createOwnerLimits = (catalog: Pick<Catalog, 'application'>, clock: Clock): OwnerLimits => {
  /** The one that was read longest ago comes first. */
  const known = new Map<string, Known>();
  const readings = new Map<string, Reading>();

  const keep = (owner: string, limits: Limits, at: number): void => {
    known.delete(owner);
    known.set(owner, { limits, at, isStale: false });
    for (const [oldest, entry] of known) {
      if (clock.elapsed() - entry.at <= keptMs || oldest === owner) break;
      known.delete(oldest);
    }
  };

  const read = async (owner: string, isCurrent: () => boolean): Promise<boolean> => {
    const at = clock.elapsed();
    const row = await catalog.application(owner.slice(kind.length));
    // Forgotten meanwhile: what was read may be from before the change.
    if (!isCurrent()) return false;
    keep(owner, row ? limitsOf(row) : {}, at);
    return true;
  };

  const readAgain = (owner: string): Reading => {
    const under = readings.get(owner);
    if (under) return under;
    const isCurrent = (): boolean => readings.get(owner) === reading;
    const taken = read(owner, isCurrent).finally(() => {
      if (isCurrent()) readings.delete(owner);
    });
    const reading: Reading = { taken };
    readings.set(owner, reading);
    return reading;
  };

  const readUntilTaken = async (owner: string): Promise<void> => {
    while (!(await readAgain(owner).taken));
  };

  return {
    of: (owner) => {
      if (owner.startsWith(ofMinitools)) return limitsOfMinitools;
      if (!owner.startsWith(kind)) return undefined;
      const entry = known.get(owner);
      if (!entry) throw new Error(`The limits of ${owner} were looked at before they were read.`);
      return entry.limits;
    },
    ready: (owner) => {
      if (!owner.startsWith(kind)) return undefined;
      const entry = known.get(owner);
      return entry && !entry.isStale && clock.elapsed() - entry.at <= freshMs ? undefined : readUntilTaken(owner);
    },
    forget: (owner) => {
      const entry = known.get(owner);
      if (entry) known.set(owner, { ...entry, isStale: true });
      readings.delete(owner);
    },
  };
};

const limitsOf = ({ maxUnfinished, maxConcurrent, tokenBudget }: ApplicationRow): Limits => ({
  ...(maxUnfinished === null ? {} : { unfinished: maxUnfinished }),
  ...(maxConcurrent === null ? {} : { running: maxConcurrent }),
  ...(tokenBudget === null ? {} : { tokens: tokenBudget }),
});

/** Tests count any owner by limits of their own. */
export const fixedLimits = (of: LimitsOf): OwnerLimits => ({ of, ready: () => undefined, forget: () => {} });
