import type { ContextEntry } from '@turnkeeper/core/session/context';
import { describe, expect, it } from 'vitest';
import { KnownContexts } from './known-contexts.ts';
import { type ContextStore, readContext } from './read-context.ts';

const said = (text: string): ContextEntry => ({ kind: 'message', message: { role: 'user', content: [{ type: 'text', text }] } });

/** Logs of contexts by session, and how many rows were read of them. */
const createLogs = () => {
  const logs = new Map<number, { readonly n: number; readonly body: string }[]>();
  let read = 0;
  const store: ContextStore = {
    context: async (sid, last = Number.POSITIVE_INFINITY, after = 0) => {
      const rows = (logs.get(sid) ?? []).filter(({ n }) => n > after).slice(-Math.min(last, 1e9));
      read += rows.length;
      return rows;
    },
  };
  const append = (sid: number, ...entries: readonly ContextEntry[]): void => {
    const log = logs.get(sid) ?? [];
    for (const entry of entries) log.push({ n: (log.at(-1)?.n ?? 0) + 1, body: JSON.stringify(entry) });
    logs.set(sid, log);
  };
  const rowsRead = (): number => {
    const rows = read;
    read = 0;
    return rows;
  };
  return { store, append, rowsRead };
};

const setUp = (most?: number) => {
  const logs = createLogs();
  return { ...logs, contexts: new KnownContexts(logs.store, most) };
};

describe('known contexts', () => {
  it('RC2 reads of a log only what came since, and gives all of it', async () => {
    const { store, append, rowsRead, contexts } = setUp();
    expect(await contexts.read(1)).toEqual([]);
    append(1, said('a'), said('b'), said('c'));
    append(2, said('x'));
    const first = await contexts.read(1);
    expect([first.length, rowsRead()]).toEqual([3, 3]);
    append(1, said('d'));
    await contexts.read(2);
    rowsRead();
    expect(await contexts.read(1)).toEqual(await readContext(store, 1));
    expect([first.length, rowsRead()]).toEqual([3, 1 + 4]);
    await contexts.read(1);
    expect(rowsRead()).toBe(0);
  });

  it.each<ContextEntry>([
    { kind: 'rebase', upto: 300 },
    { kind: 'initial', messages: [] },
    { kind: 'compacted', summary: 'much', keepFrom: 997 },
  ])('RC2 a log that begins anew ($kind) is read no further back than it is needed', async (turning) => {
    const { store, append, rowsRead, contexts } = setUp();
    append(1, ...Array.from({ length: 1_000 }, (_, index) => said(`${index}`)));
    await contexts.read(1);
    append(1, turning, said('after'));
    rowsRead();
    const rows = await contexts.read(1);
    rowsRead();
    expect(rows).toEqual(await readContext(store, 1));
    append(1, said('more'));
    rowsRead();
    expect((await contexts.read(1)).length).toBe(rows.length + 1);
    expect(rowsRead()).toBe(1);
  });

  it('forgets what was used longest ago, and never keeps what would take the place of many', async () => {
    const { append, rowsRead, contexts } = setUp(4_000);
    for (const sid of [1, 2, 3, 4, 5]) append(sid, said('y'.repeat(600)));
    append(6, said('z'.repeat(1_000)));
    for (const sid of [1, 2, 3, 4]) await contexts.read(sid);
    rowsRead();
    await contexts.read(1);
    expect(rowsRead()).toBe(0);
    await contexts.read(5);
    await contexts.read(6);
    rowsRead();
    for (const sid of [1, 3, 4, 5]) await contexts.read(sid);
    expect(rowsRead()).toBe(0);
    await contexts.read(2);
    await contexts.read(6);
    expect(rowsRead()).toBe(2);
  });
});
