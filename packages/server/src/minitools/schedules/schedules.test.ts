/** Each slot once, whatever ends in between; told again only as long as it is not done. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settle } from '../../testing/harness/settle.ts';
import { type DurableWorld, openDurableWorld } from '../../testing/minitools/durable-world.ts';
import { RunningDouble } from '../../testing/minitools/running-double.ts';
import { Schedules } from './schedules.ts';

type Fire = { readonly id: string; readonly fireId: string; readonly slot: string };

let world: DurableWorld;
let minitools: RunningDouble;
let schedules: Schedules;
const stops: (() => Promise<void>)[] = [];

const hour = 3_600_000;
const open = async (...list: readonly JsonObject[]): Promise<void> => {
  world = await openDurableWorld();
  // The clock begins at 08:00 UTC.
  expect(new Date(world.clock.now()).toISOString()).toBe('2027-01-15T08:00:00.000Z');
  await world.install('bot', { contributes: { schedules: [...list] } });
  node();
};
/** A server on the store: another one, or the next life of the first. */
const node = (): void => {
  minitools = new RunningDouble();
  const { store, clock, report } = world;
  const made = new Schedules({ store, minitools, clock, report });
  schedules = made;
  const process = minitools;
  stops.push(async () => {
    process.kill('bot');
    await made.stop();
  });
};
const run = async (): Promise<void> => {
  await schedules.api['schedules.begin'](world.asking('bot'), { id: 'any' });
  minitools.activate('bot');
  await settle(12);
};
const die = async (): Promise<void> => {
  await stops.pop()?.();
};
const fires = (of = minitools): readonly Fire[] => of.calls.map(({ params }) => params as Fire);
const slots = (of = minitools): readonly string[] => fires(of).map(({ slot }) => slot.slice(11, 19));

beforeEach(() => {
  stops.length = 0;
});
afterEach(async () => {
  while (stops.length > 0) await die();
  expect(world.clock.waiting).toBe(0);
  await world.close();
});

describe('a schedule', () => {
  it('fires each slot in time, under an id made of the mini-tool, the schedule and the slot (SF1); nothing from before it was seen (SF4)', async () => {
    await open({ id: 'hourly', cron: '0 * * * *', timezone: 'Europe/Berlin' }, { id: 'ticks', everySeconds: 2_400 });
    await run();
    expect(fires()).toEqual([]);
    await world.clock.advance(hour + 1);
    expect(fires()).toEqual([
      { id: 'ticks', fireId: 'bot:ticks:2027-01-15T08:40:00.000Z', slot: '2027-01-15T08:40:00.000Z' },
      { id: 'hourly', fireId: 'bot:hourly:2027-01-15T09:00:00.000Z', slot: '2027-01-15T09:00:00.000Z' },
    ]);
    await world.clock.advance(2 * hour);
    expect(slots().toSorted()).toEqual(['08:40:00', '09:00:00', '09:20:00', '10:00:00', '10:00:00', '10:40:00', '11:00:00']);
  });

  it('that can have no slots is told, and harms no other', async () => {
    await open({ id: 'wrong', cron: '99 * * * *' }, { id: 'right', everySeconds: 60 });
    await run();
    await world.clock.advance(60_001);
    expect(fires().map(({ id }) => id)).toEqual(['right']);
    expect(world.log).toEqual([expect.stringMatching(/^schedule "wrong" never comes: /)]);
  });

  it('goes by the time of day when that is set', async () => {
    await open({ id: 'hourly', cron: '0 * * * *' });
    await run();
    world.clock.wrong = hour - 1_000;
    await world.clock.advance(62_000);
    expect(slots()).toEqual(['09:00:00']);
  });
});

describe('a slot', () => {
  it('is fired once across restarts', async () => {
    await open({ id: 'hourly', cron: '0 * * * *' });
    await run();
    await world.clock.advance(hour + 1);
    expect(slots()).toEqual(['09:00:00']);
    await die();
    node();
    await run();
    await world.clock.advance(10_000);
    expect(slots()).toEqual([]);
    await world.clock.advance(hour);
    expect(slots()).toEqual(['10:00:00']);
  });

  it.each([0, 10_000])('is fired by one of two nodes that both run the mini-tool (SF2); its handler takes %i ms', async (ms) => {
    await open({ id: 'minutely', cron: '* * * * *' });
    const slowly = () => new Promise<void>((resolve) => void world.clock.after(ms, resolve));
    minitools.answer = slowly;
    await run();
    const first = minitools;
    node();
    minitools.answer = slowly;
    await run();
    await world.clock.advance(10 * 60_000 + 500);
    const all = [...slots(first), ...slots()];
    expect(all).toHaveLength(10);
    expect(new Set(all).size).toBe(10);
    await world.clock.advance(10_000);
  });

  it('that a node begins and never does is taken over by the other one after a while', async () => {
    await open({ id: 'hourly', cron: '0 * * * *' });
    minitools.answer = () => new Promise(() => {});
    await run();
    node();
    await run();
    await world.clock.advance(hour + 20_000);
    expect(fires()).toEqual([]);
    await world.clock.advance(20_000);
    expect(slots()).toEqual(['09:00:00']);
  });

  it('whose handler was not done when its server died is fired again by the next one, under the same id', async () => {
    await open({ id: 'hourly', cron: '0 * * * *' });
    minitools.answer = () => new Promise(() => {});
    await run();
    await world.clock.advance(hour + 1);
    const [begun] = fires();
    await die();
    // Much later than a slot that nobody began would be fired.
    await world.clock.advance(hour / 2);
    node();
    await run();
    expect(fires()).toEqual([begun]);
    await world.clock.advance(60_000);
    expect(fires()).toEqual([begun]);
  });

  it('that was claimed, and never told because the server died, is told by the next one', async () => {
    await open({ id: 'hourly', cron: '0 * * * *', missed: 'skip' });
    await run();
    let claimed = false;
    const { deliver } = minitools;
    minitools.deliver = async (...args) => {
      claimed = (await world.store.lastSlot('bot', 'hourly')) !== undefined;
      await new Promise(() => {});
      return deliver.apply(minitools, args);
    };
    await world.clock.advance(hour + 1);
    expect(claimed).toBe(true);
    // This one ends without its loop: as a process does.
    stops.length = 0;
    node();
    await run();
    expect(slots()).toEqual(['09:00:00']);
    stops.push(async () => {});
  });

  it('whose handler was done is not fired again where only noting that failed', async () => {
    await open({ id: 'hourly', cron: '0 * * * *' });
    await run();
    let failures = 2;
    world.faults.before = (method, [, name]) => {
      if (method === 'claimSlot' && name === 'hourly/done' && failures-- > 0) throw new Error('no store');
    };
    await world.clock.advance(hour + 30_000);
    expect(slots()).toEqual(['09:00:00']);
    expect(await world.store.lastSlot('bot', 'hourly/done')).toBe(world.clock.now() - 30_000);
  });

  it('that the handler rejects comes again later each time, until it is taken', async () => {
    await open({ id: 'hourly', cron: '0 * * * *' });
    const at: number[] = [];
    minitools.answer = () => {
      at.push((world.clock.now() / 1_000) % 3_600);
      if (at.length < 4) throw new Error('not now');
    };
    await run();
    await world.clock.advance(hour + 600_000);
    expect(at).toEqual([0, 1, 3, 7]);
    expect(new Set(fires().map(({ fireId }) => fireId)).size).toBe(1);
    expect(world.log[0]).toBe('schedule "hourly": 2027-01-15T09:00:00.000Z was not taken: not now; again in 1 s');
  });

  it('that is not taken gives way to the next one, and that is said (SF3)', async () => {
    await open({ id: 'minutely', cron: '* * * * *' });
    minitools.answer = () => {
      if (world.clock.now() < Date.parse('2027-01-15T08:02:30Z')) throw new Error('no');
    };
    await run();
    await world.clock.advance(150_000);
    expect([...new Set(slots())]).toEqual(['08:01:00', '08:02:00']);
    expect(slots().indexOf('08:02:00')).toBe(slots().lastIndexOf('08:01:00') + 1);
    expect(world.log.join('\n')).toContain('08:01:00.000Z was not taken: no; the next slot takes its place');
    await world.clock.advance(30_000);
    expect(slots().slice(-2)).toEqual(['08:02:00', '08:03:00']);
  });

  it('waits for the handler of the one before; of those that passed meanwhile the latest comes', async () => {
    await open({ id: 'ticks', everySeconds: 10 });
    let release = (): void => {};
    minitools.answer = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    await run();
    await world.clock.advance(45_000);
    expect(slots()).toEqual(['08:00:10']);
    release();
    await world.clock.advance(2);
    expect(slots()).toEqual(['08:00:10', '08:00:40']);
  });
});

describe('what was missed while nobody was there', () => {
  it.each([
    ['skip', []],
    ['once', ['11:00:00']],
  ] as const)('%s', async (missed, wanted) => {
    await open({ id: 'hourly', cron: '0 * * * *', missed });
    await run();
    await die();
    await world.clock.advance(3.5 * hour);
    node();
    await run();
    expect(slots()).toEqual(wanted);
    expect(world.log).toEqual([expect.stringContaining(`2027-01-15T09:00:00.000Z to 2027-01-15T1${missed === 'skip' ? 1 : 0}:00:00.000Z were left out`)]);
    await world.clock.advance(hour);
    expect(slots()).toEqual([...wanted, '12:00:00']);
    expect(world.log).toHaveLength(1);
  });
});
