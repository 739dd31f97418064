import { describe, expect, it } from 'vitest';
import { sampleAgent, sampleVersion } from './catalog-samples.ts';
import { type OpenStore, type StoreInUse, useStore } from './opened-store.ts';
import { rebuildCheck } from './rebuild-check.ts';
import { auditRow, command, createdSession, event, logOf, runWrite, taken, unique } from './samples.ts';

const reopenInto = async (store: StoreInUse): Promise<void> => {
  const { reopen } = store.now();
  if (!reopen) expect.fail('this store says that it outlives its process, but gives no way to open it again');
  store.renew(await reopen());
};

/** W1: what was answered is there after a restart. For stores that outlive their process. */
export const describeDurability = (open: OpenStore): void => {
  describe('reopen', () => {
    const store = useStore(open, 'each');

    it('W1 everything that was answered is there again', async () => {
      const scope = unique('s');
      const { head, id } = await createdSession(store.sessions(), { due: 8 });
      const next = taken(
        await store.sessions().write(
          command(head, {
            events: [event('session.status_idle'), event('session.status_idle')],
            resources: [{ kind: 'run', id: 'run_1', first: 0, last: 1, base: 1, body: '{"r":1}' }],
            context: [{ at: 1, body: '{"c":1}' }],
            payloads: [{ n: 1, body: '{"p":1}' }],
            receipts: [{ scope, key: 'k', hash: 'h', answer: '{}', at: 1 }],
            state: { body: '{"s":1}', due: 9 },
          }),
        ),
      );
      const before = {
        log: await logOf(store.sessions(), head.sid),
        run: await store.sessions().resource(head.sid, 'run_1'),
        loaded: await store.sessions().load(id),
      };
      await reopenInto(store);
      expect({
        log: await logOf(store.sessions(), head.sid),
        run: await store.sessions().resource(head.sid, 'run_1'),
        loaded: await store.sessions().load(id),
      }).toEqual(before);
      expect(await store.sessions().context(head.sid)).toEqual([{ n: 3, body: '{"c":1}' }]);
      expect(await store.sessions().payload(head.sid, 1)).toBe('{"p":1}');
      expect(await store.sessions().receipt(scope, 'k')).toMatchObject({ hash: 'h' });
      taken(await store.sessions().write(command(next)));
      const other = await createdSession(store.sessions());
      expect(other.head.sid).not.toBe(head.sid);
    });

    it('writes without a session being reopened in between keep their fence and counter', async () => {
      await store.sessions().heartbeat('a', 60_000);
      await createdSession(store.sessions(), { due: 0 });
      const [claimed] = await store.sessions().claim({ node: 'a', now: 1, limit: 1 });
      if (!claimed) expect.fail('nothing was claimed');
      const on = taken(await store.sessions().write(runWrite(claimed.loaded.head)));
      await reopenInto(store);
      expect(await store.sessions().write(runWrite(claimed.loaded.head))).toEqual({ ok: false, reason: 'fenced' });
      expect((await store.sessions().loadBySid(on.sid))?.head).toMatchObject({ fence: on.fence, wn: on.wn, seq: on.seq });
    });

    it('a node that starts again under its name gets what it held as orphans, at once', async () => {
      await store.sessions().heartbeat('a', 60_000);
      const { id } = await createdSession(store.sessions(), { due: 0 });
      await store.sessions().claim({ node: 'a', now: 1, limit: 1 });
      await reopenInto(store);
      expect(await store.sessions().heartbeat('a', 60_000)).toBe(true);
      expect(await store.sessions().claim({ node: 'a', now: 1, limit: 1 })).toMatchObject([
        { orphaned: true, loaded: { row: { id }, head: { fence: 2, node: 'a' } } },
      ]);
    });

    it('the catalog is there again', async () => {
      const agent = sampleAgent();
      await store.catalog().createAgent(agent, sampleVersion(agent.id, 1), auditRow());
      await store.catalog().setSetting('name', 'value');
      await reopenInto(store);
      expect(await store.catalog().agent(agent.id)).toEqual(agent);
      expect(await store.catalog().setting('name')).toBe('value');
    });

    it('an empty log rebuilds to what is stored', async () => {
      const { head } = await createdSession(store.sessions(), {
        write: { state: { body: JSON.stringify({ v: 1, archived: false, terminated: false, status: 'idle', turns: 0, queue: [] }), due: null } },
      });
      expect(await rebuildCheck(store.sessions(), head.sid)).toEqual([]);
    });
  });
};
