/** DC1, failure case 37: nodes whose machines have the wrong time, 10 minutes ahead and 10 minutes behind, on one database. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../../app/audit.ts';
import { createIdentity } from '../../app/identity.ts';
import { hashToken } from '../../app/tokens.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { builtin } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { createdSession, waitMs } from '../store-contract/samples.ts';
import { moves, type Node, useNodes } from './nodes.ts';

const tenMinutes = 600_000;
/** What two clocks may differ by that were measured over a busy machine's round trips. */
const slackMs = 500;
const wrongBy = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms });

const nodes = useNodes();
const openNode = (wrong: number): Promise<Node> => nodes.open({ clock: wrongBy(wrong), sweepMs: 100 });
const databaseTime = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: nodes.url });
  await client.connect();
  const { rows } = await client.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as now');
  await client.end();
  return rows[0]?.now ?? Number.NaN;
};
const eventsOf = async ({ store }: Node, session: string) => {
  const sid = (await store.sessions.load(session as never))?.head.sid ?? 0;
  return store.sessions.events({ sid, after: 0, limit: 1_000 });
};

describe.each([
  ['ahead', tenMinutes],
  ['behind', -tenMinutes],
])('a node that is 10 minutes %s', (_, wrong) => {
  it('dates what it writes by the database, in one order with the others', async () => {
    const before = await databaseTime();
    const [right, other] = [await openNode(0), await openNode(wrong)];
    const session = await other.client.session(await right.client.agent());
    for (let n = 0; n < 6; n += 1) {
      const { client } = n % 2 ? right : other;
      expect(await client.until(session, await client.submit(session, `m${n}`))).toMatchObject({ status: 'completed' });
    }
    const after = await databaseTime();
    const times = (await eventsOf(right, session)).map(({ at }) => at);
    expect(Math.min(...times)).toBeGreaterThan(before - slackMs);
    expect(Math.max(...times)).toBeLessThan(after + slackMs);
    const row = (await right.store.sessions.load(session as never))?.row;
    expect(row?.createdAt).toBe(times[0]);
    for (const node of [right, other]) {
      await node.store.catalog.addAudit(auditOf(node.engine.app, 'system', { action: 'test', subject: 'a' }));
      await waitMs(slackMs);
    }
    const ids = (await right.store.catalog.audit({ limit: 9, action: 'test' })).map(({ at }) => at);
    expect(ids.toSorted((a, b) => b - a)).toEqual(ids);
  });

  it('expires what another node let wait for people when it is time: not at once, and not ten minutes late', async () => {
    const right = await openNode(0);
    nodes.model.when('x', [{ call: 'effect' }], [{ text: 'well' }]);
    const agent = await right.client.agent({ tools: [builtin('effect', { permission: 'always_ask', expiresSeconds: 3 })], mode: 'ask' });
    const session = await right.client.session(agent);
    const turn = await right.client.submit(session, 'x');
    // By its log: on a busy machine it may be over before anybody sees it wait.
    await eventually('it waits', async () => (await eventsOf(right, session)).some(({ type }) => type === 'turn.requires_action'), { clock: moves });
    await nodes.stop(right);
    const other = await openNode(wrong);
    expect(await other.client.until(session, turn)).toMatchObject({ status: 'completed' });
    const events = await eventsOf(other, session);
    const at = (type: string): number => events.find((event) => event.type === type)?.at ?? Number.NaN;
    const waited = at('turn.completed') - at('turn.requires_action');
    expect(waited).toBeGreaterThanOrEqual(3_000 - slackMs);
    expect(waited).toBeLessThan(tenMinutes / 2);
    expect(nodes.tools.count('effect')).toBe(0);
  });

  it('claims what is due, a suspect after its pause among it, and nothing before', async () => {
    const other = await openPostgresStore({ url: nodes.url, clock: wrongBy(wrong), writeConnections: 1, poolSize: 2 });
    const now = await databaseTime();
    await other.sessions.heartbeat('a', 60_000);
    const due = await createdSession(other.sessions, { due: Math.floor(now) - slackMs });
    await createdSession(other.sessions, { due: Math.floor(now) + 60_000 });
    const claimed = await other.sessions.claim({ node: 'a', now: other.clock.now(), limit: 9 });
    expect(claimed.map(({ loaded }) => loaded.row.id)).toEqual([due.id]);
    expect(await other.sessions.nextDue(other.clock.now())).toBe(Math.floor(now) + 60_000);
    await other.close();
  });

  it('keeps its lease, and takes over nobody who lives', async () => {
    const [right, other] = [await openNode(0), await openNode(wrong)];
    nodes.model.when('x', [{ text: 'a' }, { hang: true }]);
    const session = await right.client.session(await right.client.agent());
    await right.client.submit(session, 'x');
    await eventually('the model is asked', () => nodes.model.calls.length > 0, { clock: moves });
    await waitMs(500);
    expect(nodes.model.calls.map((call) => call.ended())).toEqual(['open']);
    expect(right.engine.runner.held + other.engine.runner.held).toBe(1);
  });

  it('tokens and sign-in links of one node are good on the other, for as long as they were given', async () => {
    const [right, other] = [await openNode(0), await openNode(wrong)];
    const user = { id: 'u', username: 'u', displayName: 'U', roles: ['user'], status: 'active', passwordHash: null, createdAt: 1 } as const;
    await right.store.catalog.createUser(user, auditOf(right.engine.app, 'system', { action: 'user.created', subject: 'user:u' }));
    const [here, there] = [createIdentity(right.engine.app), createIdentity(other.engine.app)];
    expect(await there.authenticate(hashToken(await here.issueToken('u', 'short', 60_000)))).toMatchObject({ id: 'u' });
    expect(await here.authenticate(hashToken(await there.issueToken('u', 'short', 60_000)))).toMatchObject({ id: 'u' });
    const link = await here.newSignInLink('u', 60_000);
    const uses = await Promise.allSettled([there.signIn(link), here.signIn(link)]);
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const over = await there.issueToken('u', 'over', 1);
    await expect
      .poll(() =>
        here.authenticate(hashToken(over)).then(
          () => 'good',
          ({ code }: { code?: string }) => code,
        ),
      )
      .toBe('unauthenticated');
  });
});
