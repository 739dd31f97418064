/**
 * What a chat does with the server: messages become turns in the order in which they were typed, `!` steers, the view is followed.
 * The session is made with the first message, so that looking around leaves nothing behind. Leaving cancels nothing.
 */
import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { FeedMessage } from '@turnkeeper/client/stream/session-feed';
import type { SessionWatch } from '@turnkeeper/client/stream/session-watches';
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { NewSession } from '../commands/new-session.ts';

/** An existing session, or the agent of the one to be made, with what else was said of that one. */
export type ChatStart = { readonly sessionId: string } | ({ readonly agent: string } & NewSession);

export type ConversationEvents = {
  readonly onMessage: (message: FeedMessage) => void;
  /** A message went out, arrived or failed. */
  readonly onChange: () => void;
  readonly onRefused: (text: string) => void;
};

type Unshown = { readonly text: string; turnId?: string | undefined };

export class Conversation {
  readonly #client: Client;
  readonly #start: ChatStart;
  readonly #events: ConversationEvents;
  #sessionId: string | undefined;
  #watch: SessionWatch | undefined;
  #view: SessionView | undefined;
  /** One submission after the other. */
  #sending: Promise<void> = Promise.resolve();
  #unshown: readonly Unshown[] = [];
  #stopped: string | undefined;

  constructor(client: Client, start: ChatStart, events: ConversationEvents) {
    this.#client = client;
    this.#start = start;
    this.#events = events;
    if ('sessionId' in start) this.#sessionId = start.sessionId;
  }

  open(): void {
    if (this.#sessionId !== undefined) this.#follow(this.#sessionId);
  }

  close(): void {
    this.#watch?.close();
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get view(): SessionView | undefined {
    return this.#view;
  }

  get live(): TurnBody | undefined {
    return this.#view && liveTurn(this.#view);
  }

  /** Sent, and not in the view yet. */
  get outbox(): readonly string[] {
    return this.#unshown.map(({ text }) => text);
  }

  /** A stop was asked for, and the outcome is not there yet. */
  get stopping(): boolean {
    const { live } = this;
    return live !== undefined && (live.turn_id === this.#stopped || live.cancel_requested === true);
  }

  submit(text: string): void {
    this.#send(text, async (entry) => {
      const { sessions, turns } = this.#client;
      const idempotencyKey = freshKey('chat');
      if (this.#sessionId !== undefined) entry.turnId = (await turns.submit(this.#sessionId, { message: text }, { idempotencyKey })).id;
      else if ('agent' in this.#start) {
        const created = await sessions.create({ ...this.#start, initialMessage: { message: text } }, { idempotencyKey });
        this.#sessionId = created.id;
        entry.turnId = created.turnId;
        this.#follow(created.id);
      }
    });
  }

  steer(text: string): void {
    this.#send(`! ${text}`, async () => {
      const { live } = this;
      if (this.#sessionId === undefined || live === undefined) this.#events.onRefused('nothing runs that could be steered; send it without the !');
      else await this.#client.inputs.steer(this.#sessionId, live.turn_id, { message: text }, { idempotencyKey: freshKey('steer') });
    });
  }

  stop(): void {
    const { live } = this;
    if (!live || this.#sessionId === undefined || this.stopping) return;
    this.#stopped = live.turn_id;
    this.#events.onChange();
    this.#client.turns.cancel(this.#sessionId, live.turn_id, { idempotencyKey: freshKey('cancel') }).catch((error: unknown) => {
      this.#stopped = undefined;
      this.#refuse('not stopped', error);
    });
  }

  #send(text: string, send: (entry: Unshown) => Promise<void>): void {
    const entry: Unshown = { text };
    this.#unshown = [...this.#unshown, entry];
    this.#events.onChange();
    this.#sending = this.#sending.then(async () => {
      try {
        await send(entry);
      } catch (error) {
        entry.turnId = undefined;
        this.#refuse('not sent', error);
      }
      if (entry.turnId === undefined) this.#unshown = this.#unshown.filter((each) => each !== entry);
      this.#dropShown();
      this.#events.onChange();
    });
  }

  #refuse(what: string, error: unknown): void {
    const { code = 'error', message } = error as { readonly code?: string; readonly message: string };
    this.#events.onRefused(`${what} (${code}): ${message}`);
  }

  #follow(sessionId: string): void {
    this.#watch = this.#client.watchSession(sessionId);
    this.#watch.onMessage((message) => {
      if (message.type !== 'connection') {
        this.#view = message.view;
        this.#dropShown();
        if (this.#view.turns.some(({ data }) => data.turn_id === this.#stopped && isSettled(data.status))) this.#stopped = undefined;
      }
      this.#events.onMessage(message);
    });
  }

  #dropShown(): void {
    const shown = new Set(this.#view?.turns.map(({ data }) => data.turn_id));
    if (this.#unshown.some(({ turnId }) => turnId !== undefined && shown.has(turnId)))
      this.#unshown = this.#unshown.filter(({ turnId }) => turnId === undefined || !shown.has(turnId));
  }
}
