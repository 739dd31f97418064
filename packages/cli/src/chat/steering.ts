/** What is said to the turn that runs, with its two ticks: received, and heard. */
import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import { oneLine } from '../output/printable.ts';

export class Steering {
  readonly #client: Client;
  readonly #say: (text: string) => void;
  /** Received, and not heard yet: by the id of the input. */
  readonly #received = new Map<string, string>();
  #view: SessionView | undefined;

  constructor(client: Client, say: (text: string) => void) {
    this.#client = client;
    this.#say = say;
  }

  async steer(sessionId: string | undefined, view: SessionView | undefined, message: string): Promise<void> {
    const live = view && liveTurn(view);
    if (!live || sessionId === undefined) {
      this.#say('nothing runs that could be steered; send it without the !');
      return;
    }
    try {
      const { input_id } = await this.#client.inputs.steer(sessionId, live.turn_id, { message }, { idempotencyKey: freshKey('steer') });
      this.#received.set(input_id, message);
      this.#say(`✓ received: ${oneLine(message)}`);
      this.tick(this.#view ?? view);
    } catch (error) {
      this.#say(`not received: ${(error as Error).message}`);
    }
  }

  /** The second tick, once the view shows it. */
  tick(view: SessionView): void {
    this.#view = view;
    for (const { data } of view.inputs) {
      const message = data.status === 'accepted' ? undefined : this.#received.get(data.input_id);
      if (message === undefined) continue;
      this.#received.delete(data.input_id);
      this.#say(data.status === 'applied' ? `✓✓ heard: ${oneLine(message)}` : `✗ not heard (${data.reason ?? 'rejected'}): ${oneLine(message)}`);
    }
  }
}
