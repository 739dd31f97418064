import { expect, test } from 'vitest';
import { createGate } from '../testing/harness/gate.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { openHttp } from '../testing/http/open-http.ts';
import { createStoreHealth } from './store-health.ts';

test('HH1: one question for all who ask within a second', async () => {
  const clock = createMovedClock();
  let pings = 0;
  let fails = false;
  const health = createStoreHealth(async () => {
    pings += 1;
    if (fails) throw new Error('password=hunter2');
  }, clock);
  expect(await Promise.all([health(), health(), health()])).toEqual([{ ready: true }, { ready: true }, { ready: true }]);
  clock.move(999);
  await health();
  expect(pings).toBe(1);
  clock.move(1);
  fails = true;
  expect(await health()).toEqual({ ready: false, detail: 'The store cannot take writes now.' });
  expect([pings, clock.waiting()]).toEqual([2, 0]);
});

test('HH2: a store that hangs is unavailable after two seconds, and is not asked again until it has answered', async () => {
  const clock = createMovedClock();
  const gate = createGate();
  let pings = 0;
  const health = createStoreHealth(async () => {
    pings += 1;
    await gate.wait();
  }, clock);
  const first = health();
  clock.move(2_000);
  const silent = { ready: false, detail: 'The store has not answered for 2 s.' };
  expect(await first).toEqual(silent);
  clock.move(60_000);
  expect(await health()).toEqual(silent);
  expect(pings).toBe(1);
  gate.open();
  await expect.poll(() => health()).toEqual({ ready: true });
  expect(pings).toBe(1);
});

test('HH3: /healthz answers while the store hangs; /readyz says so', async () => {
  const gate = createGate();
  const server = await openHttp({
    wrapStore: (store) =>
      new Proxy(store, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as unknown;
          if (typeof method !== 'function') return method;
          return name === 'ping' ? () => gate.wait() : method.bind(target);
        },
      }),
  });
  try {
    expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await server.call('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'unavailable', detail: 'The store has not answered for 2 s.' } });
  } finally {
    gate.open();
    await server.close();
  }
});
