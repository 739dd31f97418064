import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, headOf, logOf, taken, unique } from './samples.ts';

/** W5 receipts. */
export const describeReceipts = (open: OpenStore): void => {
  describe('receipts', () => {
    const store = useStore(open, 'all');

    it('W5 a key that exists is refused with the row that stands, whatever the new content', async () => {
      const { head } = await createdSession(store.sessions());
      const receipt = { scope: unique('s'), key: 'k"ö', hash: 'h1', answer: '{"turn":1}', at: 3 };
      const moved = taken(await store.sessions().write(command(head, { receipts: [receipt] })));
      expect(await store.sessions().receipt(receipt.scope, receipt.key)).toEqual(receipt);
      const again = { ...receipt, hash: 'h2', answer: '{"turn":2}', at: 9 };
      expect(await store.sessions().write(command(moved, { receipts: [again] }))).toEqual({ ok: false, reason: 'receipt', receipt });
      expect(await store.sessions().receipt(receipt.scope, receipt.key)).toEqual(receipt);
      expect(await logOf(store.sessions(), head.sid)).toHaveLength(2);
    });

    it('W5 a key counts in its scope only, and over sessions', async () => {
      const one = await createdSession(store.sessions());
      const two = await createdSession(store.sessions());
      const receipt = { scope: unique('s'), key: 'k', hash: 'h', answer: '1', at: 1 };
      taken(await store.sessions().write(command(one.head, { receipts: [receipt] })));
      expect(await store.sessions().write(command(two.head, { receipts: [receipt] }))).toEqual({ ok: false, reason: 'receipt', receipt });
      taken(await store.sessions().write(command(two.head, { receipts: [{ ...receipt, scope: unique('s') }] })));
      expect(await store.sessions().receipt(receipt.scope, 'unknown')).toBeUndefined();
    });

    it('W5 the same key at the same moment is taken once, and all others get its row', async () => {
      const sessions = await Promise.all(Array.from({ length: 8 }, () => createdSession(store.sessions())));
      const scope = unique('s');
      const results = await Promise.all(
        sessions.map(({ head }, index) =>
          store.sessions().write(command(head, { receipts: [{ scope, key: 'k', hash: `h${index}`, answer: `${index}`, at: index }] })),
        ),
      );
      const winners = results.flatMap((result, index) => (result.ok ? [index] : []));
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      for (const [index, result] of results.entries()) {
        if (index === winner) continue;
        expect(result).toEqual({ ok: false, reason: 'receipt', receipt: { scope, key: 'k', hash: `h${winner}`, answer: `${winner}`, at: winner } });
        const loser = sessions[index];
        if (loser) expect(await headOf(store.sessions(), loser.head.sid)).toEqual(loser.head);
      }
    });
  });
};
