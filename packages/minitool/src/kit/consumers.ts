/** `consume`: each event until it was taken, one at a time within a session. How far a consumer has come outlives the mini-tool. */
import type { SessionDurableEvent } from '../context/session-events.ts';
import type { KitClock } from './clock.ts';
import type { EventLog } from './event-log.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

type Deliver = (name: string, event: SessionDurableEvent) => Promise<void>;
type Lane = { after: number; failures: number; isBusy: boolean };

export class KitConsumers {
  readonly #clock: KitClock;
  readonly #log: EventLog;
  readonly #deliver: Deliver;
  readonly #running = new Set<string>();
  readonly #lanes = new Map<string, Map<string, Lane>>();

  constructor(clock: KitClock, log: EventLog, deliver: Deliver) {
    this.#clock = clock;
    this.#log = log;
    this.#deliver = deliver;
  }

  begin(name: string): void {
    this.#running.add(name);
    this.wake();
  }

  end(name: string): void {
    this.#running.delete(name);
  }

  endAll(): void {
    this.#running.clear();
  }

  /** There may be something new. */
  wake(): void {
    for (const name of this.#running) for (const sessionId of new Set(this.#log.all().map((event) => event.sessionId))) void this.#run(name, sessionId);
  }

  #laneOf(name: string, sessionId: string): Lane {
    const lanes = this.#lanes.get(name) ?? new Map<string, Lane>();
    this.#lanes.set(name, lanes);
    const lane = lanes.get(sessionId) ?? { after: 0, failures: 0, isBusy: false };
    lanes.set(sessionId, lane);
    return lane;
  }

  async #run(name: string, sessionId: string): Promise<void> {
    const lane = this.#laneOf(name, sessionId);
    if (lane.isBusy) return;
    lane.isBusy = true;
    try {
      for (let [next] = this.#log.after(sessionId, lane.after); next && this.#running.has(name); [next] = this.#log.after(sessionId, lane.after)) {
        await this.#deliver(name, next);
        lane.after = next.sequence;
        lane.failures = 0;
      }
    } catch {
      lane.failures += 1;
      const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(lane.failures - 1, 16));
      this.#clock.after(wait, () => void this.#run(name, sessionId));
    } finally {
      lane.isBusy = false;
    }
  }
}
