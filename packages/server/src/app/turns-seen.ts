/**
 * The turns of sessions as an overview shows them, without what was said in them.
 *
 * Owns: that a session which rests is read once, however often it is asked for. It is known by when it last moved: each turn
 * that begins or ends moves it.
 */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { SessionStore } from '../ports/session-store.ts';

/** So many turns of each session of a tree, the newest. */
const mostTurns = 100;
/** What moved just now may move again within the same millisecond. */
const restsAfterMs = 2_000;
const mostKept = 20_000;

export type SeenTurn = Pick<
  TurnBody,
  'turn_id' | 'status' | 'preview' | 'created_at' | 'started_at' | 'ended_at' | 'error_code' | 'error_message' | 'usage'
> & {
  /** Of the session itself, and not of one below it. */
  readonly own: boolean;
};
/** `complete`: there are no older ones. */
type Seen = { readonly turns: readonly SeenTurn[]; readonly complete: boolean };
type Resting = Seen & { readonly updatedAt: number };

const seenTurn = (path: string, body: TurnBody): SeenTurn => ({
  own: path === '',
  turn_id: body.turn_id,
  status: body.status,
  preview: body.preview,
  created_at: body.created_at,
  usage: { ...body.usage, by_model: {} },
  ...(body.started_at === undefined ? {} : { started_at: body.started_at }),
  ...(body.ended_at === undefined ? {} : { ended_at: body.ended_at }),
  ...(body.error_code === undefined ? {} : { error_code: body.error_code }),
  ...(body.error_message === undefined ? {} : { error_message: body.error_message }),
});

export class TurnsSeen {
  readonly #store: Pick<SessionStore, 'newest'>;
  /** By root, the one asked for longest ago first. */
  readonly #resting = new Map<string, Resting>();
  #kept = 0;

  constructor(store: Pick<SessionStore, 'newest'>) {
    this.#store = store;
  }

  /** Of each of these root sessions; `now` as their times are told. */
  async of(sessions: readonly SessionResource[], now: number): Promise<ReadonlyMap<string, Seen>> {
    const known = new Map(sessions.map((session) => [session.id, this.#recall(session)]));
    const moved = sessions.filter(({ id }) => known.get(id) === undefined);
    const read = await this.#read(moved.map(({ id }) => id));
    for (const session of moved) this.#keep(session, read.get(session.id), now);
    return new Map(sessions.map(({ id }) => [id, known.get(id) ?? read.get(id) ?? { turns: [], complete: true }]));
  }

  async #read(roots: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
    if (roots.length === 0) return new Map();
    const rows = await this.#store.newest({ roots: roots as SessionId[], kind: 'turn', each: mostTurns });
    return new Map(
      [...Map.groupBy(rows, ({ root }) => root)].map(([root, below]) => {
        const turns = below.map(({ path, body }) => seenTurn(path, JSON.parse(body) as TurnBody));
        const counts = Map.groupBy(below, ({ id }) => id).values();
        return [root, { turns, complete: [...counts].every(({ length }) => length < mostTurns) }];
      }),
    );
  }

  #recall({ id, updatedAt }: SessionResource): Resting | undefined {
    const kept = this.#resting.get(id);
    if (!kept) return undefined;
    this.#forget(id);
    if (kept.updatedAt !== updatedAt) return undefined;
    this.#put(id, kept);
    return kept;
  }

  /** What is under way below a session that rests by itself does not move it. */
  #keep({ id, status, updatedAt }: SessionResource, seen: Seen | undefined, now: number): void {
    const rests = status === 'idle' && updatedAt + restsAfterMs < now;
    if (seen && rests && seen.turns.every(({ ended_at }) => ended_at !== undefined)) this.#put(id, { ...seen, updatedAt });
  }

  #put(id: string, resting: Resting): void {
    this.#forget(id);
    this.#resting.set(id, resting);
    this.#kept += resting.turns.length;
    for (const oldest of this.#resting.keys()) {
      if (this.#kept <= mostKept) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#kept -= this.#resting.get(id)?.turns.length ?? 0;
    this.#resting.delete(id);
  }
}
