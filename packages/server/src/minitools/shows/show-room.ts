/**
 * What the mini-tools of this node show people now.
 *
 * Owns: who is there, what is shown and for how long, and which answer counts. All of it in memory: nothing of it is worth more than
 * the process that waits for it.
 *
 * SZ2 With nobody there who may see it nothing is shown, and it is dismissed at once. Who comes later sees what is shown then.
 * SZ3 Each ends once: answered by the first who does, over with its time, or withdrawn with the request or the process that asked.
 * SZ4 At most so many are shown of one mini-tool, and so many come in a time: the oldest toast makes way for what comes, and where
 *     there is none the one that came is dismissed. It is never an error.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ShowEnd } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { localised } from '@turnkeeper/minitool/manifest/localise';
import type { HostRequests } from '@turnkeeper/minitool/protocol';
import { leftOut } from '@turnkeeper/minitool/shown-options';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { MinitoolShows, Show, ShowAnswer, ShowViewer } from '../../ports/minitool-shows.ts';
import type { AskingMinitool } from '../host-api.ts';
import { TokenBucket } from '../process/token-bucket.ts';
import { type Prepared, prepareShow } from './show-content.ts';

export const mostShown = 50;
const perSecond = 2;
export const mostAtOnce = 30;
const mostEnded = 1_000;

type Open = { readonly show: Show; readonly prepared: Prepared; readonly end: (reason: ShowEnd, answer?: JsonObject) => void };
export type ShowAsker = Pick<AskingMinitool, 'id' | 'signal' | 'log'> & { readonly manifest: Pick<AskingMinitool['manifest'], 'name'> };

export class ShowRoom implements MinitoolShows {
  readonly #clock: Clock;
  readonly #ids: Pick<Ids, 'next'>;
  readonly #viewers = new Set<ShowViewer>();
  /** By id, the oldest first. */
  readonly #open = new Map<string, Open>();
  /** Whose each was that ended lately. */
  readonly #ended = new Map<string, string>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #hurried = new Set<string>();

  constructor({ clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, 'next'> }) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Resolves with what people answered; undefined = dismissed. Throws `invalid_argument` for what cannot be shown. */
  async show(asker: ShowAsker, request: HostRequests['ui.show'][0]): Promise<JsonObject | undefined> {
    const prepared = prepareShow(request);
    const strange = leftOut(request.kind, request.options);
    if (strange.length > 0) asker.log('warn', `A ${request.kind} shows no ${strange.slice(0, 10).join(', ')}: it was left out.`);
    if (asker.signal.aborted || !this.#isSeen(asker.id) || !this.#mayCome(asker) || !this.#makeWay(asker.id)) return undefined;
    return new Promise((resolve) => this.#begin(asker, prepared, resolve));
  }

  watch(viewer: ShowViewer): () => void {
    this.#viewers.add(viewer);
    return () => this.#viewers.delete(viewer);
  }

  open({ maySee }: Pick<ShowViewer, 'maySee'>): readonly Show[] {
    return [...this.#open.values()].flatMap(({ show }) => (maySee(show.minitoolId) ? [show] : []));
  }

  find(id: string): { readonly minitoolId: string; readonly show: Show | undefined } | undefined {
    const show = this.#open.get(id)?.show;
    const minitoolId = show?.minitoolId ?? this.#ended.get(id);
    return minitoolId === undefined ? undefined : { minitoolId, show };
  }

  answer(id: string, { action, confirmed, values }: ShowAnswer): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    open.end('answered', {
      ...(action === undefined ? {} : { action }),
      ...(confirmed === undefined ? {} : { confirmed }),
      ...(values === undefined ? {} : { values: open.prepared.valuesOf(values) }),
    });
    return true;
  }

  #begin({ id: minitoolId, manifest, signal }: ShowAsker, prepared: Prepared, resolve: (answer: JsonObject | undefined) => void): void {
    const at = this.#clock.now();
    const id = this.#ids.next('show');
    const names = { 'en-US': localised(manifest.name, 'en-US'), 'zh-CN': localised(manifest.name, 'zh-CN') };
    const show: Show = { id, minitoolId, names, at, expiresAt: at + prepared.lifeMs, content: prepared.content };
    const withdrawn = (): void => end('withdrawn');
    const end = (reason: ShowEnd, answer?: JsonObject): void => {
      if (!this.#open.delete(id)) return;
      stopTimer();
      signal.removeEventListener('abort', withdrawn);
      this.#remember(id, minitoolId);
      resolve(answer);
      this.#tell(minitoolId, (viewer) => viewer.closed(id, reason));
    };
    const stopTimer = this.#clock.after(prepared.lifeMs, () => end('expired'));
    signal.addEventListener('abort', withdrawn, { once: true });
    this.#open.set(id, { show, prepared, end });
    this.#tell(minitoolId, (viewer) => viewer.shown(show));
  }

  #tell(minitoolId: string, tell: (viewer: ShowViewer) => void): void {
    for (const viewer of [...this.#viewers]) if (viewer.maySee(minitoolId)) tell(viewer);
  }

  #isSeen(minitoolId: string): boolean {
    return [...this.#viewers].some((viewer) => viewer.maySee(minitoolId));
  }

  #mayCome({ id, log }: ShowAsker): boolean {
    const bucket = this.#buckets.get(id) ?? new TokenBucket(this.#clock, perSecond, mostAtOnce);
    this.#buckets.set(id, bucket);
    if (bucket.take()) return true;
    // Said once, and not as often as it happens.
    if (!this.#hurried.has(id)) log('warn', 'It shows toasts and dialogs faster than anybody reads them: some are dismissed at once.');
    this.#hurried.add(id);
    return false;
  }

  #makeWay(minitoolId: string): boolean {
    const own = [...this.#open.values()].filter(({ show }) => show.minitoolId === minitoolId);
    if (own.length < mostShown) return true;
    const oldest = own.find(({ show }) => show.content.kind === 'toast');
    oldest?.end('expired');
    return oldest !== undefined;
  }

  #remember(id: string, minitoolId: string): void {
    this.#ended.set(id, minitoolId);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > mostEnded && oldest !== undefined) this.#ended.delete(oldest);
  }
}
