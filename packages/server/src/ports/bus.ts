/**
 * Port: wake-ups between processes. A message only says that a session has moved; what happened stands in the log.
 *
 * B1 Best effort: a lost message only delays (sweeps find what was missed). B2 A listener's throw hurts nobody else.
 */
/** Published in place of a session's number: some session is due that its node leaves to others. They look for work. */
export const anySession = 0;
/** The same: who hosts mini-tools has changed. Nodes look who it is now. */
export const otherHost = -1;

export interface Bus {
  /** Other processes may write the same sessions: what is known here may be old, and a lost message must be looked for. */
  readonly shared: boolean;
  /** Tells other nodes that session `sid` is at `seq`. */
  publish(sid: number, seq: number): void;
  /** Hears what other nodes publish. Returns how to stop. */
  subscribe(listener: (sid: number, seq: number) => void): () => void;
}

/** For a single process: there is nobody else to tell. */
export const silentBus: Bus = { shared: false, publish: () => {}, subscribe: () => () => {} };
