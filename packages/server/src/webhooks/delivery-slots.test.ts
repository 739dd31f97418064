import { expect, test } from 'vitest';
import { settle } from '../testing/harness/settle.ts';
import { DeliverySlots } from './delivery-slots.ts';

/** Whoever got a slot, in order, and how to give it back. */
const open = (limits: ConstructorParameters<typeof DeliverySlots>[0]) => {
  const slots = new DeliverySlots(limits);
  const got: string[] = [];
  const back = new Map<string, () => void>();
  const ask = (name: string, owner: string, host: string, urgent = false): void => {
    void slots.acquire(owner, host, urgent).then((giveBack) => {
      got.push(name);
      back.set(name, giveBack);
    });
  };
  return { slots, got, ask, giveBack: (name: string) => back.get(name)?.() };
};

test('SL1: an owner, and a host, has so many and no more; others are not held up', async () => {
  const { slots, got, ask, giveBack } = open({ all: 10, owner: 2, host: 3 });
  for (const n of [1, 2, 3]) ask(`a${n}`, 'a', 'slow');
  for (const n of [1, 2]) ask(`b${n}`, 'b', 'slow');
  ask('c1', 'c', 'slow');
  ask('c2', 'c', 'fine');
  await settle();
  expect(got).toEqual(['a1', 'a2', 'b1', 'c2']);
  giveBack('a1');
  await settle();
  expect(got).toHaveLength(5);
  expect(slots.used).toBe(4);
  for (const name of [...got]) giveBack(name);
  await settle();
  for (const name of [...got]) giveBack(name);
  await settle();
  expect(new Set(got).size).toBe(7);
});

test('SL2: owners take turns', async () => {
  const { got, ask, giveBack } = open({ all: 1, owner: 1, host: 1 });
  for (const n of [1, 2, 3]) ask(`a${n}`, 'a', 'x');
  for (const n of [1, 2]) ask(`b${n}`, 'b', 'y');
  for (let n = 0; n < 5; n += 1) {
    await settle();
    giveBack(got.at(-1) ?? '');
  }
  await settle();
  // The first one found nobody waiting.
  expect(got).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('SL2: one that somebody waits for stands before its owner’s others, and takes a slot as they do', async () => {
  const { slots, got, ask, giveBack } = open({ all: 2, owner: 1, host: 2 });
  for (const n of [1, 2, 3]) ask(`a${n}`, 'a', 'x');
  ask('test', 'a', 'x', true);
  await settle();
  expect(got).toEqual(['a1']);
  giveBack('a1');
  await settle();
  expect(got).toEqual(['a1', 'test']);
  expect(slots.used).toBe(1);
});

test('a slot that was given back twice counts once', async () => {
  const { slots, ask, giveBack } = open({ all: 5, owner: 5, host: 5 });
  ask('a', 'a', 'x');
  await settle();
  giveBack('a');
  giveBack('a');
  expect(slots.used).toBe(0);
});
