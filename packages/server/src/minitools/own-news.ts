/**
 * What is committed of mini-tools' sessions, for those mini-tools that listen: what happened, never its content; and how their
 * sessions stand, told once what came together is over.
 */
import type { SessionNews } from '../ports/telemetry.ts';
import { agentEventOf } from './agent-events.ts';
import type { MinitoolHostOptions } from './host-options.ts';
import type { HostedMinitool } from './hosted-minitool.ts';
import { notificationOf } from './notifications.ts';
import { standingOf } from './standing.ts';

const statusRestMs = 250;

type Needs = Pick<MinitoolHostOptions, 'store' | 'clock' | 'ids' | 'report'>;
type Listening = Pick<HostedMinitool, 'subscribesTo' | 'tell'>;

export class OwnNews {
  readonly #needs: Needs;
  /** Of those that run here. */
  readonly #hosted: (id: string) => Listening | undefined;
  readonly #statusTimers = new Map<string, () => void>();

  constructor(needs: Needs, hosted: (id: string) => Listening | undefined) {
    this.#needs = needs;
    this.#hosted = hosted;
  }

  saw({ session, events }: SessionNews): void {
    const { row } = session;
    if (!row.owner.startsWith('minitool:')) return;
    const id = row.owner.slice('minitool:'.length);
    const hosted = this.#hosted(id);
    if (!hosted) return;
    const { ids } = this.#needs;
    if (hosted.subscribesTo('agentEvents'))
      for (const event of events) {
        const told = agentEventOf(ids.next('aev'), row.id, event);
        if (told) hosted.tell('agentEvent', told);
      }
    if (hosted.subscribesTo('notifications'))
      for (const event of events) {
        const told = notificationOf(ids.next('ntf'), session, event);
        if (told) hosted.tell('notification', told);
      }
    if (hosted.subscribesTo('status')) this.#tellStatusSoon(id);
  }

  standing(id: string): ReturnType<typeof standingOf> {
    const { store, clock } = this.#needs;
    return standingOf(id, { sessions: store.sessions, store: store.minitools }, clock.now());
  }

  /** Nothing more is told of what has come together. */
  stop(): void {
    for (const stop of this.#statusTimers.values()) stop();
  }

  #tellStatusSoon(id: string): void {
    if (this.#statusTimers.has(id)) return;
    const stop = this.#needs.clock.after(statusRestMs, () => {
      this.#statusTimers.delete(id);
      this.standing(id).then((standing) => this.#hosted(id)?.tell('status', standing), this.#needs.report);
    });
    this.#statusTimers.set(id, stop);
  }
}
