import type { SessionId } from '@turnkeeper/core/session/ids';
import { noUsage, type UsageBody } from '@turnkeeper/core/view/usage';
import { describe, expect, it } from 'vitest';
import type { BudgetStore } from '../../ports/budgets.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, command, createdSession, event, sampleTime, taken, unique } from './samples.ts';

type Member = { readonly sid: number; readonly id: SessionId; readonly path: string };

/** The port of budgets: BS1 to BS5. */
export const describeBudgets = (open: OpenStore): void => {
  describe('budgets', () => {
    const store = useStore(open, 'all');
    const budgets = (): BudgetStore => store.now().budgets;
    const usageWrite = (usage: Partial<UsageBody>) => [
      { kind: 'usage' as const, id: 'session', first: 0, last: 0, base: 0, body: JSON.stringify({ ...noUsage, ...usage }) },
    ];
    const family = async () => {
      const root = unique('ses_') as SessionId;
      const add = async (path: string, usage?: Partial<UsageBody>): Promise<Member> => {
        const id = path === '' ? root : unique(`${root}-`);
        const { head } = await createdSession(store.sessions(), {
          id,
          row: { root, path },
          ...(usage ? { write: { resources: usageWrite(usage), events: [event('session.status_created')] } } : {}),
        });
        return { sid: head.sid, id: id as SessionId, path };
      };
      const set = (member: Member, max: number) => budgets().put(member.sid, { max_model_calls: max }, sampleTime, auditRow());
      const take = (member: Member, call: string) => budgets().take({ root, path: member.path, sid: member.sid, call });
      return { root, add, set, take };
    };

    it('BS4 limits are kept whole, replaced, and taken away; their audit entry goes with them, and nothing is set of what is gone', async () => {
      const { root, add } = await family();
      const top = await add('');
      const child = await add('a:1');
      const budget = { max_model_calls: 3, max_total_tokens: 10, max_cost: 0.25, currency: 'EUR', max_tokens_per_turn: 5 };
      const audit = auditRow();
      expect(await budgets().put(child.sid, budget, sampleTime, audit)).toBe(true);
      expect(await budgets().put(top.sid, { max_total_tokens: 9 }, sampleTime, auditRow())).toBe(true);
      expect(await budgets().limited(root)).toEqual([
        { ...top, budget: { max_total_tokens: 9 } },
        { ...child, budget },
      ]);
      expect((await store.catalog().audit({ limit: 500 })).map(({ id }) => id)).toContain(audit.id);
      expect(await budgets().limitedRoots()).toContain(root);
      expect(await budgets().put(top.sid, {}, sampleTime, auditRow())).toBe(true);
      expect(await budgets().put(child.sid, { max_model_calls: 1 }, sampleTime, auditRow())).toBe(true);
      expect(await budgets().limited(root)).toEqual([{ ...child, budget: { max_model_calls: 1 } }]);
      const loaded = await store.sessions().loadBySid(top.sid);
      taken(await store.sessions().write(command(loaded?.head as never, { session: { deletedAt: 5 } })));
      const late = auditRow();
      expect(await budgets().put(top.sid, { max_model_calls: 9 }, sampleTime, late)).toBe(false);
      expect((await store.catalog().audit({ limit: 500 })).map(({ id }) => id)).not.toContain(late.id);
    });

    it('BS3 what a tree used is what is stored of each of its sessions, and of no other', async () => {
      const { root, add, take } = await family();
      const top = await add('', { total_tokens: 7, model_calls: 2 });
      const child = await add('a:1');
      const grandchild = await add('a:1/b:1', { total_tokens: 5, model_calls: 1 });
      const other = await family();
      await other.add('', { total_tokens: 99 });
      await take(child, 'call_1');
      expect(await budgets().uses(root)).toEqual([
        { ...top, usage: { ...noUsage, total_tokens: 7, model_calls: 2 }, calls: 0 },
        { ...child, usage: undefined, calls: 1 },
        { ...grandchild, usage: { ...noUsage, total_tokens: 5, model_calls: 1 }, calls: 0 },
      ]);
    });

    it('BS5 what was made with a caller’s context counts below the caller’s path, with its own tree, also among many at once', async () => {
      const { root, add, set } = await family();
      const top = await add('', { model_calls: 1 });
      const child = await add('a:1');
      await set(top, 5);
      const made = await family();
      await budgets().link(made.root, [{ root, path: 'a:1', turnId: 'turn_1' }]);
      const linked = await made.add('');
      const grandchild = await made.add('b:1', { model_calls: 1, total_tokens: 3 });
      const callers = [{ root, path: child.path }];
      const takeAs = (member: Member, call: string) => budgets().take({ root: made.root, path: member.path, sid: member.sid, call, callers });
      expect((await budgets().uses(root)).map(({ id, path, turn }) => [id, path, turn])).toEqual([
        [top.id, '', undefined],
        [child.id, 'a:1', undefined],
        [linked.id, 'a:1', 'turn_1'],
        [grandchild.id, 'a:1', 'turn_1'],
      ]);
      const results = await Promise.all(['1', '2', '3', '4', '5', '6'].map((n) => takeAs(n === '1' ? grandchild : linked, `call_${n}`)));
      expect(results.filter((full) => full === undefined)).toHaveLength(3);
      expect(results.find((full) => full !== undefined)).toEqual({ id: top.id, used: 5, max: 5 });
      // The caller has used them up, too.
      expect(await budgets().take({ root, path: '', sid: top.sid, call: 'call_2' })).toMatchObject({ used: 5 });
      // A limit beside the caller's path is not its own.
      const beside = await family();
      const other = await beside.add('');
      await beside.set(other, 1);
      expect(await beside.take(other, 'call_1')).toBeUndefined();
    });

    it('BS2 a call is taken once, however often; the next one is another; what was reported counts where it is more', async () => {
      const { add, set, take } = await family();
      const top = await add('', { model_calls: 3 });
      await set(top, 5);
      expect(await take(top, 'call_4')).toBeUndefined();
      expect(await take(top, 'call_4')).toBeUndefined();
      expect(await take(top, 'call_5')).toBeUndefined();
      expect(await take(top, 'call_6')).toEqual({ id: top.id, used: 5, max: 5 });
      // The one that was taken last may still be made.
      expect(await take(top, 'call_5')).toBeUndefined();
      await set(top, 6);
      expect(await take(top, 'call_6')).toBeUndefined();
      expect(await take(top, 'call_7')).toMatchObject({ used: 6 });
      await budgets().put(top.sid, {}, sampleTime, auditRow());
      expect(await take(top, 'call_7')).toBeUndefined();
    });

    it('BS1 each limit above a session counts what lies below it, and the first that is full is told, the root’s before all', async () => {
      const { add, set, take } = await family();
      const top = await add('');
      const left = await add('a:1');
      const leftmost = await add('a:1/b:1');
      const right = await add('a:10');
      await set(top, 4);
      await set(left, 2);
      expect(await take(leftmost, 'l1')).toBeUndefined();
      expect(await take(left, 'a1')).toBeUndefined();
      expect(await take(leftmost, 'l2')).toEqual({ id: left.id, used: 2, max: 2 });
      // A path that only begins alike is no part of it.
      expect(await take(right, 'r1')).toBeUndefined();
      expect(await take(top, 't1')).toBeUndefined();
      expect(await take(right, 'r2')).toEqual({ id: top.id, used: 4, max: 4 });
      expect(await take(leftmost, 'l2')).toEqual({ id: top.id, used: 4, max: 4 });
    });

    it('BS1 of many sessions that ask at once no more get a call than there are', async () => {
      const { add, set, take } = await family();
      const top = await add('');
      const children = [];
      for (let n = 1; n <= 12; n += 1) children.push(await add(`a:${n}`));
      await set(top, 5);
      const results = await Promise.all(children.map((child) => take(child, 'c1')));
      expect(results.filter((full) => full === undefined)).toHaveLength(5);
      expect(results.find((full) => full !== undefined)).toEqual({ id: top.id, used: 5, max: 5 });
      const again = await Promise.all(children.map((child) => take(child, 'c1')));
      expect(again.map((full) => full === undefined)).toEqual(results.map((full) => full === undefined));
    });
  });
};
