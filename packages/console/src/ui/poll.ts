/**
 * Reading again and again what may have changed.
 *
 * Owns: when the next reading is. One at a time; after one that was not answered the waits grow, each in part by chance, up to some
 * seconds, so that a server that is gone is not asked without end and, when it is back, not by all pages in the same moment. What
 * ends such a wait is a word from outside (`hurry`), or another poll that was answered again.
 */
import { backoffMs } from '@turnkeeper/client/transport/backoff';

export type Attempt = {
  /** The answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** After a failure the poll itself tries again: the call need not. */
  readonly attempts?: number;
};
/** Whether it could be read. Of one that could not, whoever reads has told. */
export type Read = (attempt: Attempt) => Promise<boolean>;
export type Poll = { readonly hurry: () => void; readonly stop: () => void };
type PollOptions = { readonly everyMs: number; readonly isHidden: () => boolean; readonly random?: () => number };

/** A call tries a few times itself before it has failed: the waits go on where those of it ended. */
const attemptsBefore = 2;
const failing = new Set<() => void>();

export const createPoll = (read: Read, { everyMs, isHidden, random }: PollOptions): Poll => {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading = false;
  let failures = 0;
  const hurry = (): void => {
    if (reading || signal.aborted) return;
    clearTimeout(timer);
    void look();
  };
  const answered = (): void => {
    const wasAway = failing.delete(hurry);
    failures = 0;
    if (wasAway) for (const other of [...failing]) other();
  };
  const look = async (): Promise<void> => {
    if (!isHidden()) {
      reading = true;
      const isAnswered = await read({ signal, ...(failures > 0 ? { attempts: 1 } : {}) }).catch(() => false);
      reading = false;
      if (signal.aborted) return;
      if (isAnswered) answered();
      else {
        failures += 1;
        failing.add(hurry);
      }
    }
    timer = setTimeout(() => void look(), failures === 0 ? everyMs : backoffMs(attemptsBefore + failures, random));
  };
  void look();
  return {
    hurry,
    stop: () => {
      controller.abort();
      clearTimeout(timer);
      failing.delete(hurry);
    },
  };
};

/** At once when the page is looked at again, or the browser is online again. `evenHidden`: the first time in any case. Gives back how to stop it. */
export const pollWhileSeen = (read: Read, everyMs: number, { evenHidden = false }: { readonly evenHidden?: boolean } = {}): (() => void) => {
  let isFirst = evenHidden;
  const isHidden = (): boolean => {
    if (!isFirst) return document.hidden;
    isFirst = false;
    return false;
  };
  const poll = createPoll(read, { everyMs, isHidden });
  const hurry = (): void => {
    if (!document.hidden) poll.hurry();
  };
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  return () => {
    removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', hurry);
    poll.stop();
  };
};
