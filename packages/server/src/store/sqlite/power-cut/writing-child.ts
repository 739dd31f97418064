/**
 * The process whose power is cut: lives several sessions at once on a store in `argv[2]`, and says on its standard
 * output, after each write that was answered, `ack <sid> <seq>`. Closes and opens the store once on the way.
 */
import { writeSync } from 'node:fs';
import type { SessionState } from '@turnkeeper/core/session/state';
import { systemClock } from '../../../ports/clock.ts';
import type { Head, SessionStore } from '../../../ports/session-store.ts';
import { coreSession, writeOf } from '../../../testing/store-contract/core-session.ts';
import { nextStep, seeded } from '../../../testing/store-contract/random-walk.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';

const [, , folder = '', seedText = '1', stepsText = '40'] = process.argv;
const seed = Number(seedText);
const steps = Number(stepsText);
const lives = 4;

const acknowledge = ({ sid, seq }: Head): void => void writeSync(1, `ack ${sid} ${seq}\n`);

/** Some writes bring much content, so that the log is copied and begun anew while the test runs. */
const bulk = (n: number, pick: (below: number) => number) => (pick(4) === 0 ? { payloads: [{ n, body: `"${'x'.repeat(150_000)}"` }] } : {});

const live = async (store: SessionStore, sid: number, from: number): Promise<void> => {
  const pick = seeded(seed * 1000 + sid * 10 + from);
  for (let n = from + 1; n <= from + steps; n += 1) {
    const state = JSON.parse((await store.loadBySid(sid))?.state ?? '') as SessionState;
    const step = nextStep(pick, state, n);
    const write = await writeOf(store, sid, step.command, step.as);
    if (!write) continue;
    const result = await store.write({ ...write, ...bulk(n, pick) });
    if (result.ok) acknowledge(result.head);
  }
};

const sids: number[] = [];
for (const from of [0, 1000]) {
  const { sessions, close } = await openSqliteStore({ folder, clock: systemClock });
  if (from === 0) {
    const heads = await Promise.all(Array.from({ length: lives }, () => coreSession(sessions, 'n')));
    for (const head of heads) {
      acknowledge(head);
      sids.push(head.sid);
    }
  }
  await Promise.all(sids.map((sid) => live(sessions, sid, from)));
  await close();
}
