import { afterEach, expect, test } from 'vitest';
import type { UserRow } from '../ports/catalog.ts';
import { createSession } from '../app/create-session.ts';
import { createAgent } from '../app/manage-agents.ts';
import { readSnapshot } from '../app/read-snapshot.ts';
import { submitTurn } from '../app/submit-turn.ts';
import { waitForTurn } from '../app/read-turn.ts';
import { openEngine, type Engine } from '../engine.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { systemClock } from '../ports/clock.ts';
import { silentBus } from '../ports/bus.ts';

let engine: Engine | undefined;
afterEach(async () => {
  await engine?.stop(1_000);
});

test('a turn runs from submit to completed', async () => {
  const store = await openSqliteStore({ folder: ':memory:', clock: systemClock });
  engine = await openEngine({ store: { ...store, bus: silentBus }, clock: systemClock, models: { demo: true }, slots: 8, report: (error) => { throw error; } });
  const caller = { type: 'user', id: 'u1', name: 'u1', admin: false } as const;
  const { app } = engine;
  const { agent } = await createAgent(app, caller, { agentKey: 'a', displayName: 'A', description: '', definition: { system: 's', model: 'demo:welcome', maxIters: 5, tools: [{ type: 'builtin', name: 'time' }, { type: 'builtin', name: 'calculator' }], permissionMode: 'ask' } });
  const { answer: session } = await createSession(app, caller, { target: { type: 'agent', id: agent.id }, initialMessage: { message: 'What time is it and what is (17+25)*3?' } }, 'k1');
  const turn = await waitForTurn(app, caller, session.id, session.turnId ?? '', 20_000, new AbortController().signal);
  const second = await submitTurn(app, caller, session.id, { message: 'hello' }, 'k2');
  const done = await waitForTurn(app, caller, session.id, second.answer.id, 20_000, new AbortController().signal);
  const snapshot = await readSnapshot(app, caller, session.id, 200);
  console.log(JSON.stringify({ turn, done, items: snapshot.items.map((i) => i.data), tools: snapshot.tools.map((t) => t.data.status), session: snapshot.session }, null, 1));
  expect(turn.status).toBe('completed');
  expect(done.status).toBe('completed');
});
