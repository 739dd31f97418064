import { emptyState, type SessionState } from '@turnkeeper/core/session/state';
import { describe, expect, it } from 'vitest';
import type { Head, SessionStore } from '../../ports/session-store.ts';
import { carryOut, coreSession } from './core-session.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { nextStep, seeded } from './random-walk.ts';
import { rebuildCheck } from './rebuild-check.ts';
import { command, createdSession, event, headOf, taken } from './samples.ts';

const stateOf = async (store: SessionStore, sid: number): Promise<SessionState> => JSON.parse((await store.loadBySid(sid))?.state ?? '') as SessionState;

/** Lives through `steps` commands and says how many were taken, and of which kinds. */
const live = async (store: SessionStore, { sid }: Head, seed: number, steps: number): Promise<Set<string>> => {
  const pick = seeded(seed);
  const kinds = new Set<string>();
  for (let n = 1; n <= steps; n += 1) {
    const step = nextStep(pick, await stateOf(store, sid), n);
    const result = await carryOut(store, sid, step.command, step.as);
    if (result !== 'refused' && taken(result)) kinds.add(step.command.type);
  }
  return kinds;
};

/** States and resources are folds of the log, whatever was written and while it is written. */
export const describeRebuild = (open: OpenStore): void => {
  describe('rebuild', () => {
    const store = useStore(open, 'all');
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

    it(`random lives rebuild to what is stored (SEED=${seed})`, async () => {
      const kinds = new Set<string>();
      for (let life = 0; life < 3; life += 1) {
        const head = await coreSession(store.sessions(), 'n');
        for (const kind of await live(store.sessions(), head, seed + life, 120)) kinds.add(kind);
        expect(await rebuildCheck(store.sessions(), head.sid)).toEqual([]);
      }
      for (const kind of ['submit', 'start', 'open_item', 'item_delta', 'model_done']) expect(kinds).toContain(kind);
    });

    it(`also while it is written (SEED=${seed})`, async () => {
      const head = await coreSession(store.sessions(), 'n');
      let living = true;
      const watch = async (): Promise<void> => {
        while (living) {
          expect(await rebuildCheck(store.sessions(), head.sid)).toEqual([]);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const life = live(store.sessions(), head, seed + 99, 60).finally(() => {
        living = false;
      });
      await Promise.all([life, watch()]);
    });

    it('the check itself finds a wrong state, a wrong body and a resource that is missing', async () => {
      const state = { body: JSON.stringify(emptyState), due: null };
      const { head } = await createdSession(store.sessions(), { write: { events: [event('session.status_created')], state } });
      expect(await rebuildCheck(store.sessions(), head.sid)).toEqual([]);
      const accepted = event('turn.accepted', { turn_id: 'turn_1', n: 1, preview: 'p' }, 1);
      taken(await store.sessions().write(command(head, { events: [accepted], state })));
      const faults = await rebuildCheck(store.sessions(), head.sid);
      expect(faults.map((fault) => fault.split(':')[0])).toEqual(['state', 'turn turn_1']);
      const wrong = { kind: 'turn' as const, id: 'turn_1', first: 0, last: 0, base: 0, body: '{"turn_id":"turn_1"}' };
      taken(
        await store.sessions().write(
          command(await headOf(store.sessions(), head.sid), {
            events: [event('turn.cancelled', { turn_id: 'turn_1', unverified_calls: [] }, 1)],
            state,
            resources: [wrong],
          }),
        ),
      );
      expect((await rebuildCheck(store.sessions(), head.sid)).join('\n')).toMatch(/turn turn_1: place 3, its first event is 2/);
    });
  });
};
