/**
 * Messages on their way to the server.
 *
 * Each has its idempotency key from the moment it was sent off, kept in the browser's storage until the server has
 * confirmed it: a retry, a reload and a second tab all send the same submission, which counts once. They are sent one
 * after the other, so that they become turns in the order in which they were written.
 */
import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { readStored, writeStored } from '../preferences/stored-value.ts';

export type OutboxState =
  | { readonly kind: 'sending' }
  /** Confirmed; shown until the view has the turn. */
  | { readonly kind: 'accepted'; readonly turnId: string }
  | { readonly kind: 'failed'; readonly reason: string };
export type OutboxMessage = { readonly key: string; readonly text: string; readonly state: OutboxState };

export type OutboxStore = {
  readonly get: () => readonly OutboxMessage[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (text: string) => void;
  readonly retry: (key: string) => void;
  /** Takes a message out and gives its text back. */
  readonly take: (key: string) => string | undefined;
  /** The view shows these turns now. */
  readonly arrived: (turnIds: ReadonlySet<string>) => void;
};

type Stored = { readonly key: string; readonly text: string };

const parseStored = (text: string | undefined): readonly OutboxMessage[] => {
  try {
    const list = JSON.parse(text ?? '[]') as Stored[];
    return list.map(({ key, text: message }) => ({ key, text: message, state: { kind: 'sending' } }));
  } catch {
    return [];
  }
};

export const createOutbox = (turns: Pick<Client['turns'], 'submit'>, sessionId: string): OutboxStore => {
  const storageKey = `turnkeeper.outbox.${sessionId}`;
  let messages = parseStored(readStored(storageKey));
  let pumping = false;
  const listeners = new Set<() => void>();

  const replace = (next: readonly OutboxMessage[]): void => {
    messages = next;
    const unsent = next.filter(({ state }) => state.kind !== 'accepted').map(({ key, text }) => ({ key, text }));
    writeStored(storageKey, unsent.length === 0 ? undefined : JSON.stringify(unsent));
    for (const listener of [...listeners]) listener();
  };
  const mark = (key: string, state: OutboxState): void => replace(messages.map((message) => (message.key === key ? { ...message, state } : message)));

  /** Sends what is first in line; a failed one holds those behind it. */
  const pump = async (): Promise<void> => {
    if (pumping) return;
    pumping = true;
    for (;;) {
      const next = messages.find(({ state }) => state.kind !== 'accepted');
      if (next?.state.kind !== 'sending') break;
      try {
        const turn = await turns.submit(sessionId, { message: next.text }, { idempotencyKey: next.key });
        mark(next.key, { kind: 'accepted', turnId: turn.id });
      } catch (error) {
        mark(next.key, { kind: 'failed', reason: (error as Error).message });
      }
    }
    pumping = false;
  };
  void pump();

  return {
    get: () => messages,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (text) => {
      replace([...messages, { key: freshKey('message'), text, state: { kind: 'sending' } }]);
      void pump();
    },
    retry: (key) => {
      mark(key, { kind: 'sending' });
      void pump();
    },
    take: (key) => {
      const taken = messages.find((message) => message.key === key);
      replace(messages.filter((message) => message.key !== key));
      void pump();
      return taken?.text;
    },
    arrived: (turnIds) => {
      const left = messages.filter(({ state }) => state.kind !== 'accepted' || !turnIds.has(state.turnId));
      if (left.length !== messages.length) replace(left);
    },
  };
};
