import { describe, expect, it } from 'vitest';
import { type ActionFilter, type ActionPlace, type Head, type ResourceWrite, roleApprover, type SessionStore } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, headOf, taken, unique } from './samples.ts';

type Approver = string | readonly string[];
type Sample = { readonly id: string; readonly kind?: string; readonly approver?: Approver; readonly role_of?: string; readonly status?: string };

const bodyOf = ({ id, kind = 'question', approver = 'owner', role_of, status = 'open' }: Sample): string =>
  JSON.stringify({ request_id: id, kind, approver, role_of, status, input: { status: 'open', kind: 'form' } });
const write = (at: number, sample: Sample): ResourceWrite => ({
  kind: 'required_action',
  id: sample.id,
  first: at,
  last: at,
  base: at,
  body: bodyOf(sample),
});
const put = async (store: SessionStore, sid: number, actions: readonly Sample[], at?: number): Promise<Head> =>
  taken(
    await store.write(
      command(await headOf(store, sid), {
        events: actions.map(() => ({ ...event('required_action.created'), ...(at === undefined ? {} : { at }) })),
        resources: actions.map((sample, index) => write(index, sample)),
      }),
    ),
  );
const idOf = (body: string): string => (JSON.parse(body) as { request_id: string }).request_id;
const questions = [{ kinds: ['question'] }] as const;
const ofOwner = (owner: string): readonly ActionFilter[] => [{ owner, kinds: ['question'] }];

/** `openActions`: what people are waited for, over all sessions. */
export const describeOpenActions = (open: OpenStore): void => {
  describe('open actions', () => {
    const store = useStore(open, 'each');
    const ids = async (among: readonly ActionFilter[] = questions): Promise<string[]> =>
      (await store.sessions().openActions({ among, limit: 100 })).map(({ body }) => idOf(body));

    it('gives the open ones of all sessions, oldest first, with the session, as they are now', async () => {
      const [one, two] = [await createdSession(store.sessions()), await createdSession(store.sessions())];
      await put(store.sessions(), one.head.sid, [{ id: 'a1' }, { id: 'a2' }], 7);
      await put(store.sessions(), two.head.sid, [{ id: 'b1' }], 7);
      await put(store.sessions(), one.head.sid, [{ id: 'a3' }], 9);
      await put(store.sessions(), two.head.sid, [{ id: 'b2' }], 8);
      const rows = await store.sessions().openActions({ among: questions, limit: 100 });
      expect(rows.map(({ openedAt, sid, n }) => [openedAt, sid, n])).toEqual([
        [7, one.head.sid, 2],
        [7, one.head.sid, 3],
        [7, two.head.sid, 2],
        [8, two.head.sid, 3],
        [9, one.head.sid, 4],
      ]);
      expect(rows[0]).toEqual({ openedAt: 7, sid: one.head.sid, n: 2, body: bodyOf({ id: 'a1' }), row: (await store.sessions().load(one.id))?.row });
    });

    it('an action that was resolved is none, and one that opens again is one', async () => {
      const { head } = await createdSession(store.sessions());
      await put(store.sessions(), head.sid, [{ id: 'a' }, { id: 'b', status: 'answered' }, { id: 'c' }]);
      await put(store.sessions(), head.sid, [{ id: 'a', status: 'denied' }]);
      expect(await ids()).toEqual(['c']);
      await put(store.sessions(), head.sid, [{ id: 'c' }]);
      await put(store.sessions(), head.sid, [{ id: 'b' }]);
      expect(await ids()).toEqual(['b', 'c']);
    });

    it('a refused write opens and resolves none', async () => {
      const { head } = await createdSession(store.sessions());
      const moved = await put(store.sessions(), head.sid, [{ id: 'a' }]);
      const stale = command(head, { resources: [write(0, { id: 'a', status: 'answered' })] });
      expect(await store.sessions().write(stale)).toEqual({ ok: false, reason: 'conflict' });
      expect(await store.sessions().write({ ...stale, resources: [write(0, { id: 'b' })] })).toEqual({ ok: false, reason: 'conflict' });
      expect(await ids()).toEqual(['a']);
      expect(await headOf(store.sessions(), head.sid)).toEqual(moved);
    });

    it('of an owner those of some kinds that name nobody, and whatever names the approver', async () => {
      const [ann, app] = [unique('user:'), unique('app:')];
      const mine = await createdSession(store.sessions(), { owner: ann });
      const theirs = await createdSession(store.sessions(), { owner: app });
      await put(store.sessions(), mine.head.sid, [{ id: 'mine' }, { id: 'mine but named', approver: ['ann'] }, { id: 'form', kind: 'form' }]);
      await put(store.sessions(), theirs.head.sid, [
        { id: 'theirs', approver: 'application' },
        { id: 'named', approver: ['bob', 'ann', 'bob'] },
        { id: 'bob', kind: 'form', approver: ['bob'] },
        { id: 'ann', approver: 'ann' },
        { id: 'real', kind: 'reconciliation' },
      ]);
      expect(await ids([{ owner: ann, kinds: ['question'] }])).toEqual(['mine']);
      expect(await ids([{ owner: ann, kinds: ['form', 'question'] }])).toEqual(['mine', 'form']);
      expect(await ids([{ owner: ann, kinds: ['question'] }, { approver: 'ann' }])).toEqual(['mine', 'mine but named', 'named']);
      expect(await ids([{ approver: 'bob' }])).toEqual(['named', 'bob']);
      expect(await ids([...ofOwner(ann), { owner: app, kinds: ['question'] }])).toEqual(['mine', 'theirs', 'ann']);
      expect(await ids([{ owner: app, kinds: ['question'] }, { kinds: ['reconciliation', 'question'] }])).toEqual(['mine', 'theirs', 'ann', 'real']);
      expect(await ids([])).toEqual([]);
      expect(await ids([{ owner: ann, kinds: [] }])).toEqual([]);
    });

    it('what asks for a role is found by that role of that application or space, and by nothing else', async () => {
      const [app, space] = [unique('app:'), unique('space:')];
      const { head } = await createdSession(store.sessions(), { owner: app });
      const asks = (id: string, approver: string, role_of: string): Sample => ({ id, kind: 'approval', approver, role_of });
      await put(store.sessions(), head.sid, [asks('a', 'role:approver', app), asks('b', 'role:operator', app), asks('c', 'role:manager', space)]);
      const found = (approver: string, of: string) => ids([{ approver: roleApprover(approver, of) }]);
      expect(
        await Promise.all([found('role:approver', app), found('role:operator', app), found('role:manager', space), found('role:approver', space)]),
      ).toEqual([['a'], ['b'], ['c'], []]);
      expect(await ids([{ owner: app, kinds: ['approval'] }, { kinds: ['approval'] }])).toEqual([]);
    });

    it('page by page, nothing twice and nothing left out, also what was opened later in an earlier session', async () => {
      const owner = unique('app:');
      const sids: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        const { head } = await createdSession(store.sessions(), { owner });
        sids.push(head.sid);
        await put(store.sessions(), head.sid, [{ id: `${n}a`, approver: ['ann'] }, { id: `${n}b` }], 5);
      }
      const both: readonly ActionFilter[] = [...ofOwner(owner), { approver: 'ann' }];
      for (const among of [questions, ofOwner(owner), both, [...both, ...questions]]) {
        const seen: string[] = [];
        const late = unique('late');
        for (let after: ActionPlace | undefined; ; ) {
          const page = await store.sessions().openActions({ among, limit: 2, ...(after ? { after } : {}) });
          after = page.at(-1);
          if (!after) break;
          seen.push(...page.map(({ body }) => idOf(body)));
          if (seen.length === 2) await put(store.sessions(), sids[0] ?? 0, [{ id: late }], 6);
        }
        expect(seen.filter((id) => !id.startsWith('late'))).toEqual(
          among.some((filter) => 'approver' in filter) ? ['0a', '0b', '1a', '1b', '2a', '2b'] : ['0b', '1b', '2b'],
        );
        expect(seen).toContain(late);
      }
    });

    it('what waits for others, however much of it is older, is not on the page', async () => {
      const [others, mine] = [await createdSession(store.sessions(), { owner: 'user:ann' }), await createdSession(store.sessions(), { owner: 'user:root' })];
      const foreign = (n: number): Sample => ({ id: `f${n}`, kind: n % 3 === 0 ? 'reconciliation' : 'question', approver: n % 2 === 0 ? ['bob'] : 'owner' });
      await put(
        store.sessions(),
        others.head.sid,
        Array.from({ length: 2_000 }, (_, n) => foreign(n)),
        1,
      );
      await put(store.sessions(), others.head.sid, [{ id: 'named', approver: ['root'] }], 2);
      await put(store.sessions(), mine.head.sid, [{ id: 'own' }], 3);
      const among: readonly ActionFilter[] = [{ approver: 'root' }, { owner: 'user:root', kinds: ['question'] }];
      expect((await store.sessions().openActions({ among, limit: 2 })).map(({ body }) => idOf(body))).toEqual(['named', 'own']);
    });

    it('none of a deleted session', async () => {
      const { head } = await createdSession(store.sessions());
      const next = await put(store.sessions(), head.sid, [{ id: 'a', approver: ['ann'] }]);
      taken(await store.sessions().write(command(next, { session: { deletedAt: 5 } })));
      expect(await ids()).toEqual([]);
      expect(await ids([{ approver: 'ann' }])).toEqual([]);
    });

    it('comes with the creation of a session', async () => {
      const { owner } = await createdSession(store.sessions(), { write: { resources: [write(0, { id: 'a' })] } });
      expect(await ids(ofOwner(owner))).toEqual(['a']);
    });
  });
};
