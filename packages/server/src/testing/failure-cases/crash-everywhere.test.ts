/**
 * A process that dies at every write of a course of events, before and after its commit: the next one ends every turn
 * right, without a hand, without a side effect happening twice, and with a transcript that a provider accepts.
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, test } from 'vitest';
import { checkSession, undispatched } from '../harness/check-session.ts';
import { ann } from '../harness/client.ts';
import { wholeLog } from '../harness/log-checker.ts';
import type { KillPoint } from '../harness/mortal.ts';
import { keepAlive } from '../harness/surviving-client.ts';
import { openWorld, type World } from '../harness/world.ts';
import { runScenario, type Scenario, scenarios } from './crash-scenarios.ts';

const calls = ['write', 'create', 'claim', 'stream', 'run', 'take'] as const;

/** What the children of a session, and theirs, have in their logs. */
const logsBelow = async ({ store }: World, session: string) => {
  const rows = await store.descendants({ root: session as SessionId, under: '', limit: 99 });
  return (await Promise.all(rows.map(({ sid }) => wholeLog(store, sid)))).flat();
};

/** Runs it with a death at `point`; what went wrong. */
const faultsOf = async (scenario: Scenario, point: KillPoint): Promise<readonly string[]> => {
  const world = await openWorld({ killAt: point });
  const first = world.life;
  keepAlive(world);
  const where = `killed ${point.when} ${point.call} ${point.nth}`;
  try {
    const session = await runScenario(scenario, world);
    const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
    return [
      ...(first.alive() ? ['it did not die'] : []),
      ...faults,
      ...undispatched([...log, ...(await logsBelow(world, session))], world.tools.runs),
      ...world.model.faults(),
      ...world.reports.map(String),
    ].map((fault) => `${where}: ${fault}`);
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await world.close();
  }
};

describe.each(scenarios)('$name', (scenario) => {
  test('dies at every point', { timeout: 240_000 }, async () => {
    const world = await openWorld();
    await runScenario(scenario, world);
    const points = calls
      .flatMap((call) => Array.from({ length: world.life.calls(call) }, (_, at) => (['before', 'after'] as const).map((when) => ({ call, nth: at + 1, when }))))
      .flat();
    await world.close();
    expect(points.length).toBeGreaterThan(10);
    const faults: string[] = [];
    for (const point of points) faults.push(...(await faultsOf(scenario, point)));
    expect(faults).toEqual([]);
  });
});
