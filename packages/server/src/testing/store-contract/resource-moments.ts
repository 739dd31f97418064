import { type LogRow, loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { applyToResource, type Body } from '@turnkeeper/core/view/resources';
import { describe, expect, it } from 'vitest';
import type { Head, ResourcePage } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { createdSession, event, itemDelta, logOf, runWrite, taken } from './samples.ts';

const item = (text: string) => ({
  turn_id: 'turn_1',
  run_id: 'run_1_1',
  item_id: 'item_1',
  item: { id: 'item_1', type: 'message', role: 'assistant', content: text === '' ? [] : [{ type: 'text', text }], status: 'in_progress' },
});

const shownText = (page: ResourcePage): string => {
  const [row] = page.resources[0] ?? [];
  if (!row) return '';
  const apply = (body: Body | undefined, delta: LogRow): Body | undefined =>
    applyToResource('item', body, loggedEvent(delta.type, delta.at, JSON.parse(delta.data)));
  const body = page.deltas.reduce<Body | undefined>(apply, JSON.parse(row.body) as Body) as ItemBody;
  return textOf(body.item.content);
};

/** W9: each read is of one moment, also while writers run. */
export const describeResourceMoments = (open: OpenStore): void => {
  describe('reads of one moment', () => {
    const store = useStore(open, 'all');

    it('W9 body and deltas read while a writer streams and refolds are exactly the text as of asOf', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      const textAt = new Map<number, string>();
      let text = '';
      let now: Head = taken(
        await store.sessions().write(
          runWrite(head, {
            events: [event('item.started', {}, 1)],
            resources: [{ kind: 'item', id: 'item_1', first: 0, last: 0, base: 0, body: JSON.stringify(item('')) }],
          }),
        ),
      );
      textAt.set(now.seq, '');
      let writing = true;
      let reads = 0;
      const write = async (): Promise<void> => {
        // Until it was read a few times meanwhile, however fast the one and the other are.
        for (let n = 0; n < 60 || (reads <= 3 && n < 10_000); n += 1) {
          const pieces = [`${n},`, `${n};`];
          const refold = n % 7 === 6;
          for (const [index, piece] of pieces.entries()) {
            text += piece;
            textAt.set(now.seq + index + 1, text);
          }
          const resources = refold ? [{ kind: 'item' as const, id: 'item_1', first: 0, last: 1, base: 1, body: JSON.stringify(item(text)) }] : [];
          // A store in memory answers within the same turn of the event loop: readers need one now and then.
          if (n % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
          now = taken(await store.sessions().write(runWrite(now, { events: pieces.map((piece) => itemDelta('item_1', piece)), resources })));
        }
        writing = false;
      };
      const read = async (): Promise<void> => {
        for (let last = 0; writing; reads += 1) {
          const page = await store.sessions().resources(head.sid, [{ kind: 'item', limit: 1 }]);
          if (!page) expect.fail('the session is gone');
          expect(page.asOf).toBe(page.head.seq);
          expect(page.asOf).toBeGreaterThanOrEqual(last);
          expect(shownText(page)).toBe(textAt.get(page.asOf));
          last = page.asOf;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), read()]);
      expect(reads).toBeGreaterThan(3);
    });

    it('W9 an event that is read is never missing from a later read', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      let writing = true;
      const write = async (): Promise<void> => {
        let now = head;
        for (let n = 0; n < 60; n += 1) {
          if (n % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
          now = taken(await store.sessions().write(runWrite(now)));
        }
        writing = false;
      };
      const read = async (): Promise<void> => {
        let known = 0;
        while (writing) {
          const log = await logOf(store.sessions(), head.sid);
          expect(log.map((row) => row.seq)).toEqual(Array.from({ length: log.length }, (_, index) => index + 1));
          expect(log.length).toBeGreaterThanOrEqual(known);
          known = log.length;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), read()]);
    });
  });
};
