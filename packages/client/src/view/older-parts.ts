/**
 * What is older than a snapshot shows, read page by page while somebody scrolls up.
 *
 * Owns: which pages are read, and that what belongs together is there together.
 *
 * OY1 One reading at a time. What was read stays; a failed reading changes nothing and can be asked for again.
 * OY2 With each message stand its calls and its turn: the pages of tools and turns are read as far back as the oldest message.
 * OY3 A page cursor that has expired is replaced by those of a fresh snapshot, in silence.
 */
import type { Resource } from '@turnkeeper/core/view/session-view';
import type { SessionSnapshot } from '../calls/sessions.ts';

const lists = ['items', 'tools', 'turns'] as const;
type List = (typeof lists)[number];

export type OlderLists = Pick<SessionSnapshot, List>;
export type OlderParts = OlderLists & {
  /** Of the snapshot that it began with: what tells it from another one. */
  readonly of: SessionSnapshot['page_cursors'];
  readonly hasMore: boolean;
  readonly loading: boolean;
  readonly fault: Error | undefined;
};

/** Before anything was read: what a snapshot says of what it leaves out. */
export const olderThan = ({ page_cursors: of }: SessionSnapshot): OlderParts => ({ ...nothing, of, hasMore: of?.['items'] !== undefined });

type ReadPage = {
  readonly data: readonly Resource<unknown>[];
  readonly next_cursor: string | null;
};
export type OlderCalls = {
  readonly page: (list: List, after: string) => Promise<ReadPage>;
  readonly snapshot: () => Promise<SessionSnapshot>;
};

export type OlderStore = {
  readonly get: () => OlderParts;
  readonly subscribe: (listener: () => void) => () => void;
  /** Begins anew with what a snapshot leaves out. */
  readonly begin: (snapshot: SessionSnapshot) => void;
  readonly load: () => Promise<void>;
};

const nothing: OlderParts = { of: undefined, items: [], tools: [], turns: [], hasMore: false, loading: false, fault: undefined };

/** When it came first, which is what the lists are in order of. */
const timesOf = (parts: OlderLists) => ({
  items: parts.items[0]?.created_at ?? Number.POSITIVE_INFINITY,
  tools: parts.tools[0]?.data.requested_at ?? Number.POSITIVE_INFINITY,
  turns: parts.turns[0]?.data.created_at ?? Number.POSITIVE_INFINITY,
});

const isExpired = (error: unknown): boolean => ['page_expired', 'invalid_cursor'].includes(String((error as { readonly code?: unknown }).code));

type Cursors = { readonly [list: string]: string };

const cursorsOf = ({ page_cursors = {} }: SessionSnapshot): Cursors =>
  Object.fromEntries(lists.flatMap((list) => (page_cursors[list] === undefined ? [] : [[list, page_cursors[list]]])));

/** Of a fresh, longer snapshot: what is older than the first of those that are shown already. */
const before = <Data>(fresh: readonly Resource<Data>[], shown: readonly Resource<Data>[], idOf: (data: Data) => string): readonly Resource<Data>[] => {
  const first = shown[0] && idOf(shown[0].data);
  const at = fresh.findIndex(({ data }) => idOf(data) === first);
  return at <= 0 ? [] : fresh.slice(0, at);
};

export const createOlderParts = (calls: OlderCalls): OlderStore => {
  let state = nothing;
  let cursors: Cursors = {};
  /** What the snapshot shows. */
  let shown: OlderLists = nothing;
  let reading: Promise<void> | undefined;
  let generation = 0;
  const listeners = new Set<() => void>();
  const moveTo = (next: Partial<OlderParts>): void => {
    state = { ...state, ...next };
    for (const listener of [...listeners]) listener();
  };
  const firstOf = <L extends List>(list: L): OlderLists[L] => (state[list].length > 0 ? state[list] : shown[list]);
  const oldest = () => timesOf({ items: firstOf('items'), tools: firstOf('tools'), turns: firstOf('turns') });

  const readPage = async (list: List): Promise<void> => {
    const after = cursors[list];
    if (after === undefined) return;
    const began = generation;
    const page = await calls.page(list, after);
    if (began !== generation) return;
    const { [list]: _, ...rest } = cursors;
    cursors = page.next_cursor === null ? rest : { ...rest, [list]: page.next_cursor };
    moveTo({ [list]: [...page.data, ...state[list]] });
  };
  /** [OY2] */
  const readBeside = async (): Promise<void> => {
    for (const list of ['tools', 'turns'] as const) while (cursors[list] !== undefined && oldest()[list] > oldest().items) await readPage(list);
  };
  /** [OY3] */
  const renew = async (): Promise<void> => {
    const fresh = await calls.snapshot();
    cursors = cursorsOf(fresh);
    moveTo({
      items: before(fresh.items, shown.items, ({ item_id }) => item_id),
      tools: before(fresh.tools, shown.tools, ({ turn_id, tool_call_id }) => `${turn_id}:${tool_call_id}`),
      turns: before(fresh.turns, shown.turns, ({ turn_id }) => turn_id),
    });
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work().catch(async (error: unknown) => {
        if (!isExpired(error)) throw error;
        await renew();
        await work();
      });
      moveTo({ loading: false, fault: undefined, hasMore: cursors['items'] !== undefined });
    } catch (error) {
      moveTo({ loading: false, fault: error as Error });
    }
  };
  const run = (work: () => Promise<void>): Promise<void> => {
    reading ??= attempt(work).finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: (snapshot) => {
      generation += 1;
      shown = snapshot;
      cursors = cursorsOf(snapshot);
      moveTo(olderThan(snapshot));
      void (reading ?? Promise.resolve()).then(() => run(readBeside));
    },
    load: () => {
      if (cursors['items'] === undefined) return Promise.resolve();
      moveTo({ loading: true });
      return run(async () => {
        await readPage('items');
        await readBeside();
      });
    },
  };
};
