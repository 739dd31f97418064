/** How a process that ends is started again, and when that ends: with time in the test's hand. */
import type { Beginning } from '@turnkeeper/minitool/protocol';
import { expect, it } from 'vitest';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { settle } from '../../testing/harness/settle.ts';
import { MinitoolDown } from '../host-api.ts';
import { type Crash, KeepAlive } from './keep-alive.ts';
import type { MinitoolProcess, ProcessEnd } from './minitool-process.ts';

type Fake = {
  readonly process: MinitoolProcess;
  readonly end: (end: ProcessEnd) => void;
  readonly asked: string[];
  answer: (method: string) => Promise<unknown>;
};

const fakeProcess = (answer: (method: string) => Promise<unknown>): Fake => {
  const ended = Promise.withResolvers<ProcessEnd>();
  const asked: string[] = [];
  const fake: Fake = {
    asked,
    answer,
    end: ended.resolve,
    process: {
      ended: ended.promise,
      request: (method: string) => {
        asked.push(method);
        return Promise.race([
          fake.answer(method),
          ended.promise.then(() => {
            throw new MinitoolDown('ended');
          }),
        ]);
      },
      stop: async (end: ProcessEnd = { kind: 'stopped', detail: '' }) => ended.resolve(end),
    } as unknown as MinitoolProcess,
  };
  return fake;
};

const begin = (answer: (method: string) => Promise<unknown> = async () => null) => {
  const clock = new ManualClock();
  const fakes: Fake[] = [];
  const told: { activated: number; crashes: (Crash | undefined)[]; gaveUp: string[] } = { activated: 0, crashes: [], gaveUp: [] };
  const alive = new KeepAlive({
    clock,
    start: async () => {
      const fake = fakeProcess(answer);
      fakes.push(fake);
      return { process: fake.process, beginning: {} as Beginning };
    },
    activated: () => {
      told.activated += 1;
    },
    ended: (crash) => told.crashes.push(crash),
    gaveUp: (reason) => told.gaveUp.push(reason),
  });
  alive.start();
  const crash = async (): Promise<void> => {
    fakes.at(-1)?.end({ kind: 'crash', detail: 'It exited with 1.' });
    await settle();
  };
  return { clock, fakes, told, alive, crash };
};

it('KA1: waits longer after each crash, and gives up at the fifth within ten minutes', async () => {
  const { clock, fakes, told, alive, crash } = begin();
  await settle();
  for (const [at, wait] of [1_000, 2_000, 4_000, 8_000].entries()) {
    await crash();
    expect(alive.state).toBe('waiting');
    await clock.advance(wait - 1);
    expect(fakes).toHaveLength(at + 1);
    await clock.advance(1);
    expect(fakes).toHaveLength(at + 2);
    expect(alive.state).toBe('running');
  }
  expect(told.gaveUp).toEqual([]);
  await crash();
  expect(told.gaveUp).toEqual(['It ended 5 times within 10 minutes. The last time: It exited with 1.']);
  expect(alive.state).toBe('stopped');
  await clock.advance(3_600_000);
  expect(fakes).toHaveLength(5);
  expect(clock.waiting).toBe(0);
});

it('KA1: forgets crashes that are ten minutes old', async () => {
  const { clock, fakes, told, crash } = begin();
  await settle();
  for (let n = 0; n < 8; n += 1) {
    await crash();
    await clock.advance(600_000);
  }
  expect(told.gaveUp).toEqual([]);
  expect(fakes).toHaveLength(9);
});

it('KA1: counts an activate that fails, or does not end', async () => {
  const failing = begin(async () => {
    throw new Error('no such table');
  });
  await settle();
  expect(failing.alive.lastCrash).toMatchObject({ kind: 'activate', detail: 'activate() failed: no such table' });
  expect(failing.told.activated).toBe(0);
  await failing.clock.advance(20_000);
  expect(failing.told.gaveUp).toHaveLength(1);

  const endless = begin(() => new Promise(() => {}));
  await endless.clock.advance(119_999);
  expect(endless.alive.state).toBe('starting');
  await endless.clock.advance(1);
  expect(endless.alive.lastCrash).toMatchObject({ kind: 'activate', detail: expect.stringContaining('120 s') });
});

it('KA3: lets it deactivate, but not for longer than five seconds', async () => {
  const quick = begin();
  await settle();
  await quick.alive.stop();
  expect(quick.fakes[0]?.asked).toEqual(['activate', 'deactivate']);
  expect(quick.told.crashes).toEqual([undefined]);

  const slow = begin();
  await settle();
  if (slow.fakes[0]) slow.fakes[0].answer = () => new Promise(() => {});
  const stopped = slow.alive.stop();
  let done = false;
  void stopped.then(() => {
    done = true;
  });
  await slow.clock.advance(4_999);
  expect(done).toBe(false);
  await slow.clock.advance(1);
  await stopped;
  expect(slow.alive.state).toBe('stopped');
  expect(slow.clock.waiting).toBe(0);
});

it('stops while it waits to start again', async () => {
  const { clock, fakes, alive, crash } = begin();
  await settle();
  await crash();
  await alive.stop();
  await clock.advance(600_000);
  expect(fakes).toHaveLength(1);
  expect(clock.waiting).toBe(0);
});
