import type { ResourceKind } from '@turnkeeper/core/view/resources';
import { describe, expect, it } from 'vitest';
import type { Head, ResourceQuery, ResourceWrite, SessionStore } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, itemDelta, runWrite, taken, toolDelta } from './samples.ts';

const at = (kind: ResourceKind, id: string, index: number, body: unknown): ResourceWrite => ({
  kind,
  id,
  first: index,
  last: index,
  base: index,
  body: JSON.stringify(body),
});
const openItem = (id: string) => ({ turn_id: 'turn_1', item_id: id, item: { id, type: 'message', role: 'assistant', content: [], status: 'in_progress' } });
const doneItem = (id: string) => ({ ...openItem(id), item: { ...openItem(id).item, status: 'completed' } });
const tool = (turn: string, call: string, status: string) => ({ turn_id: turn, tool_call_id: call, name: 't', input: {}, status, progress: [] });

/** Ten items (n = 2 … 11) and one turn (n = 12). */
const tenItems = async (store: SessionStore): Promise<Head> => {
  const { head } = await createdSession(store);
  const items = Array.from({ length: 10 }, (_, index) => at('item', `item_${index < 6 ? 'a' : 'b'}_${index + 1}`, index, doneItem(`i${index}`)));
  const events = Array.from({ length: 11 }, () => event('x'));
  return taken(await store.write(command(head, { events, resources: [...items, at('turn', 'turn_1', 10, { turn_id: 'turn_1' })] })));
};

/** Pages of resources, and the deltas that their bodies do not hold yet. */
export const describeResources = (open: OpenStore): void => {
  describe('resources', () => {
    const store = useStore(open, 'all');
    const page = async (sid: number, query: Omit<ResourceQuery, 'kind'>): Promise<number[]> => {
      const result = await store.sessions().resources(sid, [{ kind: 'item', ...query }]);
      return result?.resources[0]?.map((row) => row.n) ?? [];
    };

    it('resourcesOf gives those that there are of some ids, and of this session', async () => {
      const [{ sid }, other] = [await tenItems(store.sessions()), await createdSession(store.sessions())];
      const found = await store.sessions().resourcesOf(sid, ['item_b_7', 'none', 'item_a_1', 'item_a_1', 'turn_1']);
      expect(found.map(({ id }) => id).toSorted()).toEqual(['item_a_1', 'item_b_7', 'turn_1']);
      expect(found.find(({ id }) => id === 'item_b_7')).toEqual(await store.sessions().resource(sid, 'item_b_7'));
      expect(await store.sessions().resourcesOf(sid, [])).toEqual([]);
      expect(await store.sessions().resourcesOf(other.head.sid, ['item_a_1'])).toEqual([]);
    });

    it('pages in the order of first appearance: from the start, the newest, after, before', async () => {
      const { sid } = await tenItems(store.sessions());
      expect(await page(sid, { limit: 3 })).toEqual([2, 3, 4]);
      expect(await page(sid, { limit: 3, newest: true })).toEqual([9, 10, 11]);
      expect(await page(sid, { limit: 3, afterN: 4 })).toEqual([5, 6, 7]);
      expect(await page(sid, { limit: 3, beforeN: 9, newest: true })).toEqual([6, 7, 8]);
      expect(await page(sid, { limit: 3, beforeN: 9 })).toEqual([2, 3, 4]);
      expect(await page(sid, { limit: 9, afterN: 3, beforeN: 7 })).toEqual([4, 5, 6]);
      expect(await page(sid, { limit: 2, afterN: 3, newest: true })).toEqual([10, 11]);
      expect(await page(sid, { limit: 3, afterN: 11 })).toEqual([]);
      expect(await page(sid, { limit: 0 })).toEqual([]);
    });

    it("offset passes over the first of the page's own order", async () => {
      const { sid } = await tenItems(store.sessions());
      expect(await page(sid, { limit: 3, offset: 4 })).toEqual([6, 7, 8]);
      expect(await page(sid, { limit: 3, offset: 2, newest: true })).toEqual([7, 8, 9]);
      expect(await page(sid, { limit: 3, offset: 1, afterN: 4 })).toEqual([6, 7, 8]);
      expect(await page(sid, { limit: 2, offset: 1, idPrefix: 'item_b_' })).toEqual([9, 10]);
      expect(await page(sid, { limit: 3, offset: 9 })).toEqual([11]);
      expect(await page(sid, { limit: 3, offset: 1_000_000 })).toEqual([]);
    });

    it('idPrefix keeps only ids with that beginning, taken literally', async () => {
      const { sid } = await tenItems(store.sessions());
      expect(await page(sid, { limit: 99, idPrefix: 'item_b_' })).toEqual([8, 9, 10, 11]);
      expect(await page(sid, { limit: 2, idPrefix: 'item_b_', newest: true })).toEqual([10, 11]);
      expect(await page(sid, { limit: 2, idPrefix: 'item_b_', afterN: 8 })).toEqual([9, 10]);
      expect(await page(sid, { limit: 9, idPrefix: 'item_b_', beforeN: 10 })).toEqual([8, 9]);
      expect(await page(sid, { limit: 9, idPrefix: 'item%' })).toEqual([]);
      expect(await page(sid, { limit: 9, idPrefix: 'ITEM_b_' })).toEqual([]);
      expect(await page(sid, { limit: 9, idPrefix: 'turn' })).toEqual([]);
    });

    it('answers each query with a list of its own, and says as of when', async () => {
      const head = await tenItems(store.sessions());
      const result = await store.sessions().resources(head.sid, [
        { kind: 'turn', limit: 5 },
        { kind: 'run', limit: 5 },
        { kind: 'item', limit: 1 },
      ]);
      expect(result?.resources.map((rows) => rows.map((row) => row.id))).toEqual([['turn_1'], [], ['item_a_1']]);
      expect(result).toMatchObject({ asOf: head.seq, head, state: '{"v":1}', row: { sid: head.sid }, deltas: [] });
      expect(result?.resources[0]?.[0]).toEqual({
        kind: 'turn',
        id: 'turn_1',
        n: 12,
        lastSeq: 12,
        baseSeq: 12,
        lastAt: event('x').at,
        body: '{"turn_id":"turn_1"}',
      });
      expect((await store.sessions().resources(head.sid, []))?.resources).toEqual([]);
    });

    it('brings the deltas after baseSeq of open items among the rows, and no others', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      const started = taken(
        await store.sessions().write(
          runWrite(head, {
            events: [event('x'), event('x'), event('x')],
            resources: [
              at('item', 'item_1', 0, openItem('item_1')),
              at('item', 'item_12', 1, openItem('item_12')),
              at('item', 'item_3', 2, doneItem('item_3')),
            ],
          }),
        ),
      );
      const deltas = [
        itemDelta('item_1', 'a'),
        itemDelta('item_12', 'b'),
        itemDelta('item_3', 'late'),
        itemDelta('item_1', '"item_id":"item_12"'),
        event('noise', { item_id: 'item_1' }),
      ];
      const streamed = taken(await store.sessions().write(runWrite(started, { events: deltas })));
      const read = async (query: Partial<ResourceQuery>): Promise<number[] | undefined> =>
        (await store.sessions().resources(head.sid, [{ kind: 'item', limit: 9, ...query }]))?.deltas.map((row) => row.seq);
      expect(await read({})).toEqual([5, 6, 8]);
      expect(await read({ idPrefix: 'item_12' })).toEqual([6]);
      expect(await read({ limit: 1, newest: true })).toEqual([]);
      const all = await store.sessions().resources(head.sid, [{ kind: 'item', limit: 9 }]);
      expect(all?.asOf).toBe(streamed.seq);
      expect(all?.deltas[0]).toEqual({ sid: head.sid, seq: 5, turn: 1, type: 'item.delta', at: event('x').at, data: itemDelta('item_1', 'a').data });
      // A body that was folded up to a later event no longer needs the deltas before it.
      const refolded = taken(
        await store
          .sessions()
          .write(runWrite(streamed, { events: [itemDelta('item_1', 'c')], resources: [{ ...at('item', 'item_1', 0, openItem('item_1')), base: 0 }] })),
      );
      expect(await read({})).toEqual([6]);
      taken(await store.sessions().write(runWrite(refolded, { events: [itemDelta('item_1', 'd')] })));
      expect(await read({})).toEqual([6, 11]);
    });

    it('brings the deltas of running tools, told apart by turn and call, and no others', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      const rows = [
        at('tool', 'turn_1:call "x"', 0, tool('turn_1', 'call "x"', 'running')),
        at('tool', 'turn_2:call "x"', 1, tool('turn_2', 'call "x"', 'running')),
        at('tool', 'turn_1:done', 2, tool('turn_1', 'done', 'success')),
        at('tool', 'turn_1:nested', 3, tool('turn_1', 'nested', 'running')),
      ];
      const started = taken(await store.sessions().write(runWrite(head, { events: rows.map(() => event('x')), resources: rows })));
      const tricky = event('tool.delta', { turn_id: 'turn_1', tool_call_id: 'done', output: [{ type: 'data', data: { tool_call_id: 'nested' } }] }, 1);
      const events = [toolDelta('call "x"', 'a'), toolDelta('done', 'late'), tricky, toolDelta('nested', 'b')];
      taken(await store.sessions().write(runWrite(started, { events })));
      const read = async (idPrefix?: string): Promise<number[] | undefined> => {
        const query: ResourceQuery = { kind: 'tool', limit: 9, ...(idPrefix === undefined ? {} : { idPrefix }) };
        return (await store.sessions().resources(head.sid, [query]))?.deltas.map((row) => row.seq);
      };
      expect(await read()).toEqual([6, 9]);
      expect(await read('turn_1:')).toEqual([6, 9]);
      expect(await read('turn_2:')).toEqual([]);
      expect(await read('turn_1:nested')).toEqual([9]);
    });
  });
};
