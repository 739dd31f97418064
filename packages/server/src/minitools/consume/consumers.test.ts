/** At least once, in order, whatever ends in between. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settle } from '../../testing/harness/settle.ts';
import { type DurableWorld, openDurableWorld, sessionName } from '../../testing/minitools/durable-world.ts';
import { Consumers } from './consumers.ts';

type Told = { readonly name: string; readonly event: { readonly sequence: number; readonly sessionId: string; readonly text: string } };

let world: DurableWorld;
let consumers: Consumers;

const create = (places?: { readonly atOnce: number; readonly slowMs: number; readonly most: number }): Consumers => {
  const { store, minitools, clock, report } = world;
  return new Consumers({ store, minitools, clock, report, ...(places ? { places } : {}) });
};
beforeEach(async () => {
  world = await openDurableWorld();
  await world.install('bot', { permissions: { sessions: true } });
  consumers = create();
});
afterEach(async () => {
  world.minitools.kill('bot');
  await consumers.stop();
  expect(world.clock.waiting).toBe(0);
  await world.close();
});

const begin = (name = 'replies'): Promise<null> => consumers.api['consume.begin'](world.asking('bot'), { name });
const run = async (name?: string): Promise<void> => {
  await begin(name);
  world.minitools.activate('bot');
  await settle(12);
};
/** The next life of the server, on what the last one has kept. */
const restart = async (): Promise<void> => {
  world.minitools.kill('bot');
  await consumers.stop();
  consumers = create();
};
const told = (): readonly Told['event'][] => world.minitools.calls.map(({ params }) => (params as Told).event);
const sequences = (): readonly number[] => told().map(({ sequence }) => sequence);
const added = async (): Promise<void> => {
  consumers.added('bot');
  await settle(12);
};

describe('a consumer', () => {
  it('begins with the oldest event that is kept, and hears what comes later at once (CU5)', async () => {
    for (const session of [1, 2, 1]) await world.event('bot', session);
    await run();
    expect(told().map(({ sessionId, sequence }) => [sessionId, sequence])).toEqual([
      [sessionName(1), 1],
      [sessionName(2), 2],
      [sessionName(1), 3],
    ]);
    await world.event('bot', 2);
    await added();
    expect(sequences()).toEqual([1, 2, 3, 4]);
  });

  it('finds by itself what nobody told it of', async () => {
    await run();
    await world.event('bot', 1);
    await world.clock.advance(2_000);
    expect(sequences()).toEqual([1]);
  });

  it('is told nothing before the mini-tool is activated, and nothing twice where it begins twice', async () => {
    await world.event('bot', 1);
    await begin();
    await begin();
    await settle(12);
    expect(told()).toEqual([]);
    world.minitools.activate('bot');
    await settle(12);
    await begin();
    await settle(12);
    expect(sequences()).toEqual([1]);
  });

  it('is told nothing more once it has ended', async () => {
    await run();
    await consumers.api['consume.end'](world.asking('bot'), { name: 'replies' });
    await world.event('bot', 1);
    await added();
    await world.clock.advance(10_000);
    expect(told()).toEqual([]);
  });

  it('has a cursor of its own beside others', async () => {
    await world.event('bot', 1);
    await run('a');
    await begin('b');
    await settle(12);
    expect(world.minitools.calls.map(({ params }) => (params as Told).name)).toEqual(['a', 'b']);
  });

  it.each(['', '   ', 'x'.repeat(201), 'a\0b'])('cannot be called %j', async (name) => {
    await expect(begin(name)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a crash (CU1)', () => {
  it('before the handler has answered: the event comes again, with the next process', async () => {
    await world.event('bot', 1);
    world.minitools.answer = () => new Promise(() => {});
    await run();
    expect(sequences()).toEqual([1]);
    world.minitools.kill('bot');
    world.minitools.answer = () => {};
    await run();
    expect(sequences()).toEqual([1, 1]);
    await world.event('bot', 1);
    await added();
    expect(sequences()).toEqual([1, 1, 2]);
  });

  it('of the server after the handler and before the cursor was moved: it comes again', async () => {
    await world.event('bot', 1);
    world.faults.before = (method) => {
      if (method === 'moveCursor') throw new Error('the server is dying');
    };
    await run();
    await restart();
    world.faults.before = () => {};
    await run();
    expect(sequences()).toEqual([1, 1]);
  });

  it('of the server after the cursor was moved: it never comes again', async () => {
    await world.event('bot', 1);
    await run();
    await world.event('bot', 1);
    await restart();
    await run();
    expect(sequences()).toEqual([1, 2]);
  });

  it('of the store alone while the cursor is moved: the event is not told again, the cursor is moved later', async () => {
    await world.event('bot', 1);
    let failures = 2;
    world.faults.before = (method) => {
      if (method === 'moveCursor' && failures-- > 0) throw new Error('no store');
    };
    await run();
    await world.clock.advance(4_000);
    expect(sequences()).toEqual([1]);
    expect((await world.store.cursors('bot', 'replies')).find(({ sessionId }) => sessionId === sessionName(1))?.after).toBe(1);
  });

  it('of the store while it reads: it reads on when the store is back', async () => {
    await world.event('bot', 1);
    world.faults.before = (method) => {
      if (method === 'cursors' || method === 'events') throw new Error('no store');
    };
    await run();
    await world.clock.advance(10_000);
    expect(told()).toEqual([]);
    world.faults.before = () => {};
    await world.clock.advance(4_000);
    expect(sequences()).toEqual([1]);
    expect(world.reports.length).toBeGreaterThan(0);
  });
});

describe('a handler that rejects (CU3, CU4)', () => {
  it('gets the event again after 1, 2, 4 … 60 s, and no later one of that session before; other sessions go on', async () => {
    await world.event('bot', 1);
    await world.event('bot', 1);
    await world.event('bot', 2);
    const at: number[] = [];
    const start = world.clock.now();
    world.minitools.answer = ({ params }) => {
      if ((params as Told).event.sequence !== 1) return;
      at.push((world.clock.now() - start) / 1_000);
      throw new Error('not now');
    };
    await run();
    expect(sequences()).toEqual([1, 3]);
    await world.clock.advance(250_000);
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(sequences().filter((sequence) => sequence !== 1)).toEqual([3]);
    expect(world.log[0]).toBe(`consumer "replies": session ${sessionName(1)}: event 1 was not taken: not now; again in 1 s`);
    world.minitools.answer = () => {};
    await world.clock.advance(60_000);
    expect(sequences().slice(-2)).toEqual([1, 2]);
    // It begins with 1 s again.
    await world.event('bot', 1);
    world.minitools.answer = () => {
      throw new Error('again');
    };
    await added();
    expect(world.log.at(-1)).toContain('again in 1 s');
  });

  it('and events that the store forgot meanwhile are said to be lost', async () => {
    await world.event('bot', 1);
    await world.event('bot', 1);
    world.minitools.answer = () => {
      throw new Error('not now');
    };
    await run();
    await world.store.pruneEvents(1, 0);
    world.minitools.answer = () => {};
    await world.clock.advance(1_000);
    expect(sequences()).toEqual([1, 2]);
    expect(world.log.at(-1)).toBe(`consumer "replies": session ${sessionName(1)}: event 1 was not taken as long as it was kept; it goes on with event 2`);
  });
});

describe('what was pruned past a cursor', () => {
  it('is said, and it goes on with the oldest there is', async () => {
    await world.event('bot', 1);
    await run();
    await world.clock.advance(10_000);
    await restart();
    for (let n = 0; n < 4; n += 1) await world.event('bot', 1);
    await world.store.pruneEvents(2, 0);
    await run();
    expect(sequences()).toEqual([1, 4, 5]);
    expect(world.log.at(-1)).toContain('events 2 to 3 are not kept any more');
  });

  it('is not said where all of it was taken, nor by one that is new', async () => {
    for (let n = 0; n < 4; n += 1) await world.event('bot', n);
    await world.store.pruneEvents(2, 0);
    await run();
    await world.clock.advance(10_000);
    await world.event('bot', 9);
    await world.store.pruneEvents(1, 0);
    await restart();
    await run();
    expect(sequences()).toEqual([3, 4, 5]);
    expect(world.log).toEqual([]);
  });
});

describe('sessions (CU2)', () => {
  it('200 of them go side by side, so many at once, each one in order and one event at a time', async () => {
    await restart();
    consumers = create({ atOnce: 7, slowMs: 600_000, most: 1_000 });
    for (let n = 0; n < 3; n += 1) for (let session = 0; session < 200; session += 1) await world.event('bot', session);
    const open = new Map<string, number>();
    let most = 0;
    world.minitools.answer = async ({ params }) => {
      const { sessionId } = (params as Told).event;
      expect(open.has(sessionId)).toBe(false);
      open.set(sessionId, 1);
      most = Math.max(most, open.size);
      await new Promise<void>((resolve) => world.clock.after(1 + (Number(sessionId.slice(-1)) % 3), resolve));
      open.delete(sessionId);
    };
    await run();
    for (let n = 0; n < 4_000 && world.minitools.calls.length < 600; n += 1) await world.clock.advanceToNext(10);
    await world.clock.advance(10);
    expect(world.minitools.calls).toHaveLength(600);
    expect(most).toBe(7);
    const bySession = Map.groupBy(told(), ({ sessionId }) => sessionId);
    expect(bySession.size).toBe(200);
    for (const events of bySession.values())
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence).toSorted((a, b) => a - b));
  });

  it('with a long tail leave room for the others', async () => {
    await restart();
    consumers = create({ atOnce: 1, slowMs: 600_000, most: 10 });
    for (let n = 0; n < 5; n += 1) await world.event('bot', 1);
    await world.event('bot', 2);
    await run();
    await settle(40);
    expect(sequences()).toEqual([1, 6, 2, 3, 4, 5]);
  });

  it('whose handler hangs keep no place from the others (PL1)', async () => {
    await restart();
    consumers = create({ atOnce: 2, slowMs: 30_000, most: 10 });
    for (let session = 1; session <= 3; session += 1) await world.event('bot', session);
    world.minitools.answer = ({ params }) => ((params as Told).event.sequence < 3 ? new Promise(() => {}) : undefined);
    await run();
    expect(sequences()).toEqual([1, 2]);
    await world.clock.advance(30_000);
    expect(sequences()).toEqual([1, 2, 3]);
  });
});

describe('what is kept of a consumer (CU6)', () => {
  it('is the mark alone once all is acknowledged, however many sessions there were', async () => {
    for (const session of [1, 2, 3]) await world.event('bot', session);
    await run();
    expect(await world.store.cursors('bot', 'replies')).toHaveLength(3);
    await world.clock.advance(12_000);
    expect(await world.store.cursors('bot', 'replies')).toEqual([{ name: 'replies', sessionId: '', after: 3 }]);
    await restart();
    await world.event('bot', 1);
    await run();
    expect(sequences()).toEqual([1, 2, 3, 4]);
  });
});
