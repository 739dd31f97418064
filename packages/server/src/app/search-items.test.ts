import { describe, expect, test } from 'vitest';
import type { ItemRow, SessionStore } from '../ports/session-store.ts';
import { ItemSearch, searchedBytes } from './search-items.ts';

type Block = object;
const said = (...content: readonly Block[]): string =>
  JSON.stringify({ turn_id: 'turn_1', item: { id: 'item_secretid', type: 'message', role: 'user', content, status: 'completed' } });
const text = (value: string): string => said({ type: 'text', text: value });

/** One row at a time, as a store answers that is asked for little. */
const itemsOf = (sessions: ReadonlyMap<number, readonly string[]>, asked: number[] = []): Pick<SessionStore, 'items'> => ({
  items: async ({ sids, afterN = 0 }) => {
    const rows = sids.flatMap((sid, k): ItemRow[] =>
      (sessions.get(sid) ?? []).map((body, n) => ({ sid, n: n + 1, body })).filter(({ n }) => k > 0 || n > afterN),
    );
    asked.push(...rows.slice(0, 1).map(({ sid }) => sid));
    return rows.slice(0, 1);
  },
});

const found = async (word: string, ...bodies: readonly string[]): Promise<boolean> =>
  (await new ItemSearch(itemsOf(new Map([[1, bodies]])), word).among([1])).said.has(1);

describe('TS1 what was said', () => {
  test.each([
    ['hello', 'Say HELLO to them'],
    ['GRÜSSE', 'viele grüsse'],
    ['天气', '今天天气很好'],
    ['100%_', 'are you 100%_ sure'],
    ['say "hi"\nand', 'say "Hi"\nAND go'],
    ['ΟΔΟΣ', 'οδοσήμανση'],
    ['οδοσ', 'Η ΟΔΟΣ'],
    ['😀', 'well 😀'],
    ['\\n', 'a \\n in a text'],
  ])('%j is in %j', async (word, all) => {
    expect(await found(word, text('first'), text(all))).toBe(true);
  });

  test('is neither an id, nor a name in the JSON, nor what a tool was called with', async () => {
    const call = said({ type: 'tool_use', id: 'c', name: 'lookup', input: { q: 'weather' } }, { type: 'text', text: 'one moment' });
    for (const word of ['secretid', 'content', 'weather', 'lookup', '\\n', 'one  moment']) expect([word, await found(word, call)]).toEqual([word, false]);
    expect(await found('moment', call)).toBe(true);
  });

  test('is not put together of several messages or blocks', async () => {
    expect(await found('ab', text('a'), text('b'), said({ type: 'text', text: 'a' }, { type: 'text', text: 'b' }))).toBe(false);
  });
});

describe('TS2 how much is looked through', () => {
  const large = 'x'.repeat(searchedBytes / 2);

  test('a session that has it is not read on', async () => {
    const asked: number[] = [];
    const sessions = new Map([
      [1, [text('it'), text('more'), text('more')]],
      [2, [text('no')]],
      [3, [text('it')]],
    ]);
    const { said: has, looked } = await new ItemSearch(itemsOf(sessions, asked), 'it').among([1, 2, 3]);
    expect([[...has], looked]).toEqual([[1, 3], 3]);
    expect(asked).toEqual([1, 2, 3]);
  });

  test('when it was enough, the session that was begun is not counted; and the same goes on there', async () => {
    const sessions = new Map([
      [1, [text(large)]],
      [2, [text(large), text('it')]],
      [3, [text('it')]],
    ]);
    const search = new ItemSearch(itemsOf(sessions), 'it');
    expect(await search.among([1, 2, 3])).toEqual({ said: new Set(), looked: 1 });
    expect(await search.among([2, 3])).toEqual({ said: new Set(), looked: 0 });
    expect(await new ItemSearch(itemsOf(sessions), 'it').among([2, 3])).toEqual({ said: new Set([2, 3]), looked: 2 });
  });

  test('one that holds more than is looked through at once is looked through all the same', async () => {
    const sessions = new Map([
      [1, [text(large), text(large), text(large), text('it')]],
      [2, [text('it')]],
    ]);
    expect(await new ItemSearch(itemsOf(sessions), 'it').among([1, 2])).toEqual({ said: new Set([1]), looked: 1 });
  });
});
