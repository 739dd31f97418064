/**
 * Messages on their way to the server.
 *
 * OX1 Each has its idempotency key from the moment it was sent off, kept in the browser until the server has confirmed it: a retry
 *     and a reload send the same submission, which counts once.
 * OX2 They are sent one after the other, so that they become turns in the order in which they were written; one that failed holds
 *     those behind it until it is tried again or taken out. What is said to the running turn does not wait for those.
 */
import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { InputBlock } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import { keep, readKept } from './kept.ts';

/** A file of the session that goes with a message. */
export type SentFile = { readonly fileId: string; readonly name: string };
/**
 * What is sent: `steers` says it to the turn that runs, and to a turn of its own when none does any more. `input` is what a workflow is
 * given in place of a message; `text` is then how it was written.
 */
export type Sent = { readonly text: string; readonly files: readonly SentFile[]; readonly steers?: boolean; readonly input?: Json };
export type SendingState =
  | { readonly kind: 'sending' }
  /** Confirmed; shown until the session shows the turn, or the input that it became of a running one. */
  | { readonly kind: 'accepted'; readonly turnId: string; readonly inputId?: string }
  | { readonly kind: 'failed'; readonly reason: string };
export type SendingMessage = Sent & { readonly key: string; readonly state: SendingState };

export type Outbox = {
  readonly get: () => readonly SendingMessage[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (sent: Sent) => void;
  readonly retry: (key: string) => void;
  /** Takes a message out and gives it back. */
  readonly take: (key: string) => Sent | undefined;
  /** The session shows these turns and inputs now. */
  readonly arrived: (ids: ReadonlySet<string>) => void;
};

/** Where the unsent ones outlive the page: the tab, unless said otherwise. */
export type Keeping = { readonly read: (name: string) => string | undefined; readonly write: (name: string, text: string | undefined) => void };
const inTab: Keeping = { read: readKept, write: keep };

const parseKept = (text: string | undefined): readonly SendingMessage[] => {
  try {
    return (JSON.parse(text ?? '[]') as (Sent & { readonly key: string })[]).map((sent) => ({ ...sent, state: { kind: 'sending' } }));
  } catch {
    return [];
  }
};

const bodyOf = ({ text, files, steers, input }: Sent) => {
  const onBusy = steers ? ({ onBusy: 'steer' } as const) : {};
  if (input !== undefined) return { input, ...onBusy };
  if (files.length === 0) return { message: text, ...onBusy };
  const blocks: InputBlock[] = files.map(({ fileId }) => ({ type: 'file', file_id: fileId }));
  const words: InputBlock[] = text.trim() === '' ? [] : [{ type: 'text', text }];
  return { input: [{ role: 'user' as const, content: [...words, ...blocks] }], ...onBusy };
};

const isUnsent = ({ state }: SendingMessage): boolean => state.kind !== 'accepted';

/** The session shows what became of it: nothing of it is left to be shown beside. */
export const isAmong = ({ state }: SendingMessage, ids: ReadonlySet<string>): boolean => state.kind === 'accepted' && ids.has(state.inputId ?? state.turnId);

export const createOutbox = (turns: Pick<Client['turns'], 'submit'>, sessionId: string, { read, write } = inTab): Outbox => {
  const name = `turnkeeper.outbox.${sessionId}`;
  let messages = parseKept(read(name));
  let pumping = false;
  const listeners = new Set<() => void>();

  const replace = (next: readonly SendingMessage[]): void => {
    messages = next;
    const unsent = next.filter(isUnsent).map(({ state: _, ...kept }) => kept);
    write(name, unsent.length === 0 ? undefined : JSON.stringify(unsent));
    for (const listener of [...listeners]) listener();
  };
  const mark = (key: string, state: SendingState): void => replace(messages.map((message) => (message.key === key ? { ...message, state } : message)));
  const nextToSend = (): SendingMessage | undefined => {
    const first = messages.find(({ steers, state }) => steers && state.kind === 'sending') ?? messages.find(isUnsent);
    return first?.state.kind === 'sending' ? first : undefined;
  };
  // [OX2]
  const pump = async (): Promise<void> => {
    if (pumping) return;
    pumping = true;
    for (let next = nextToSend(); next; next = nextToSend()) {
      const { key } = next;
      try {
        const { id: turnId, inputId } = await turns.submit(sessionId, bodyOf(next), { idempotencyKey: key });
        mark(key, { kind: 'accepted', turnId, ...(inputId === undefined ? {} : { inputId }) });
      } catch (error) {
        mark(key, { kind: 'failed', reason: (error as Error).message });
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
    send: (sent) => {
      // [OX1]
      replace([...messages, { ...sent, key: freshKey('message'), state: { kind: 'sending' } }]);
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
      return taken && { text: taken.text, files: taken.files };
    },
    arrived: (ids) => {
      const left = messages.filter((message) => !isAmong(message, ids));
      if (left.length !== messages.length) replace(left);
    },
  };
};

const outboxes = new WeakMap<Client, Map<string, Outbox>>();

/** One a session, however many components send. */
export const outboxOf = (client: Client, sessionId: string): Outbox => {
  const ofClient = outboxes.get(client) ?? new Map<string, Outbox>();
  outboxes.set(client, ofClient);
  const outbox = ofClient.get(sessionId) ?? createOutbox(client.turns, sessionId);
  ofClient.set(sessionId, outbox);
  return outbox;
};
