/**
 * A store that fails at every call of a course of events, once or for a while, before or after its commit, with the
 * answer lost or not: the engine recovers by itself, nothing is lost and nothing happens twice.
 */
import { describe, expect, test } from 'vitest';
import type { SessionStore } from '../../ports/session-store.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';
import { runScenario, type Scenario, scenarios } from './crash-scenarios.ts';

const methods: readonly (keyof SessionStore)[] = [
  'write',
  'create',
  'claim',
  'nextDue',
  'load',
  'loadBySid',
  'context',
  'payload',
  'resource',
  'resources',
  'receipt',
  'heartbeat',
];
const effects = ['refused', 'lost_before', 'lost_after'] as const;
type Strike = { readonly method: keyof SessionStore; readonly call: number; readonly times: number; readonly kind: (typeof effects)[number] };

const isUnavailable = (error: unknown): boolean => (error as { code?: string }).code === 'storage_unavailable';

const faultsOf = async (scenario: Scenario, { method, call, times, kind }: Strike): Promise<readonly string[]> => {
  const world = await openWorld({ expectsReports: true });
  world.faulty.inject({ method, call, times, effect: { kind } });
  const where = `${kind} ${method} ${call} (${times} times)`;
  try {
    const session = await runScenario(scenario, world);
    world.faulty.release();
    const { faults } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
    const unexpected = world.reports.filter((error) => !isUnavailable(error)).map(String);
    return [...faults, ...world.model.faults(), ...unexpected].map((fault) => `${where}: ${fault}`);
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await world.close();
  }
};

/** Each call once and for a while; of a long scenario by turns: the next call has the other one. */
const longFrom = 150;

const strikesOn = (world: World): readonly Strike[] => {
  const all = methods.flatMap((method) => {
    const most = Math.min(world.faulty.calls(method), method === 'write' || method === 'create' ? 1_000 : 12);
    const kinds = method === 'write' || method === 'create' || method === 'claim' ? effects : (['refused'] as const);
    return Array.from({ length: most }, (_, at) => kinds.flatMap((kind) => [1, 3].map((times): Strike => ({ method, call: at + 1, times, kind })))).flat();
  });
  return all.length < longFrom ? all : all.filter(({ call, kind, times }) => (times === 1) === ((call + effects.indexOf(kind)) % 2 === 0));
};

describe.each(scenarios)('$name', (scenario) => {
  test('with a failing store', { timeout: 240_000 }, async () => {
    const world = await openWorld();
    await runScenario(scenario, world);
    const strikes = strikesOn(world);
    await world.close();
    expect(strikes.length).toBeGreaterThan(30);
    const faults: string[] = [];
    for (const strike of strikes) faults.push(...(await faultsOf(scenario, strike)));
    expect(faults).toEqual([]);
  });
});
