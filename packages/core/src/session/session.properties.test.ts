/** What holds of every session, whatever is done to it: the state and what it owes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { history, payloadFor, tightRules } from '../testing/arbitraries.ts';
import { answer, to } from '../testing/commands.ts';
import { doneBy, drain } from '../testing/drain.ts';
import { must } from '../testing/must.ts';
import type { Command } from './commands.ts';
import { decide } from './decide.ts';
import { fold } from './evolve.ts';
import { brokenInvariant } from './invariants.ts';
import { dueAt, pendingWork } from './pending-work.ts';
import { emptyState, unfinishedTurns } from './state.ts';

const runs = { numRuns: 1_000 };

describe('any history', () => {
  it('keeps the invariants of the state after each command', () => {
    fc.assert(
      fc.property(history(), ({ steps }) => {
        for (const { decision } of steps) if (decision.ok) must(brokenInvariant(decision.state) === undefined, () => `${brokenInvariant(decision.state)}`);
      }),
      runs,
    );
  });

  it('is decided the same way twice, and the state is the fold of the log from any point on (E1, S6)', () => {
    fc.assert(
      fc.property(history(), fc.nat(), ({ steps, log, state }, cut) => {
        for (const { before, command, decision } of steps) {
          expect(decide(before, command, tightRules)).toEqual(decision);
          if (decision.ok) expect(fold(before, decision.events)).toEqual(decision.state);
        }
        const at = cut % (log.length + 1);
        expect(fold(fold(emptyState, log.slice(0, at)), log.slice(at))).toEqual(state);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves every unfinished turn a way on: work is owed, or an action is open (P1)', () => {
    fc.assert(
      fc.property(history(), ({ steps }) => {
        for (const { decision } of steps) {
          if (!decision.ok) continue;
          const { state } = decision;
          const open = state.live?.openActions.length ?? 0;
          if (!state.terminated && unfinishedTurns(state) > 0) must(pendingWork(state).length + open > 0, () => `stuck: ${JSON.stringify(state)}`);
        }
      }),
      runs,
    );
  });

  it('is due exactly when something is owed; a parked turn owes only expiries (P2)', () => {
    fc.assert(
      fc.property(history(), ({ steps }) => {
        for (const { decision } of steps) {
          if (!decision.ok) continue;
          const work = pendingWork(decision.state);
          must((dueAt(decision.state) === null) === (work.length === 0), 'due and work disagree');
          const status = decision.state.live?.status;
          if (status === 'requires_action' || status === 'interrupted') {
            must(
              work.every((entry) => entry.kind === 'expire'),
              () => `a parked turn owes ${JSON.stringify(work)}`,
            );
          }
          if (decision.state.terminated || unfinishedTurns(decision.state) === 0) must(work.length === 0, 'work without a turn');
        }
      }),
      runs,
    );
  });

  it('owes only what can be done: the command that reports it is accepted, and so is each right answer', () => {
    fc.assert(
      fc.property(history(), ({ state, at }) => {
        for (const work of pendingWork(state)) {
          const when = Math.max(at, 'notBefore' in work ? work.notBefore : 0);
          expect(decide(state, { ...doneBy(work, state), at: when } as Command, tightRules), work.kind).toMatchObject({ ok: true });
        }
        for (const action of state.live?.openActions ?? []) {
          const when = Math.min(at, (action.expiresAt ?? Infinity) - 1);
          const wish = answer(String(state.live?.id.slice(5)), to(action.id, payloadFor(action)));
          expect(decide(state, { ...wish, at: when } as Command, tightRules), action.kind).toMatchObject({ ok: true });
        }
      }),
      runs,
    );
  });

  it('comes to rest when what is owed is done and what is open is answered: nothing is stuck', () => {
    fc.assert(
      fc.property(history(), ({ state, at }) => {
        const end = drain(state, at, tightRules);
        expect(end.refused).toBeUndefined();
        expect(unfinishedTurns(end.state)).toBe(0);
        expect(dueAt(end.state)).toBeNull();
      }),
      runs,
    );
  });

  it('never runs a call twice that may not be repeated, whatever is lost (S15)', () => {
    fc.assert(
      fc.property(history(), ({ steps }) => {
        const dispatched = new Set<string>();
        for (const { decision } of steps) {
          if (!decision.ok) continue;
          for (const event of decision.events) {
            if (event.type !== 'tool.dispatched') continue;
            const call = decision.state.live?.calls.find((entry) => entry.id === event.data.tool_call_id);
            if (call && !call.replaySafe) dispatched.add(call.id);
          }
          const owed = pendingWork(decision.state).flatMap((work) => (work.kind === 'tool' ? [work.callId] : []));
          for (const call of decision.state.live?.calls ?? []) {
            if (dispatched.has(call.id)) must(call.status !== 'requested', `${call.id} may run again`);
            if (call.status === 'unknown' || call.status === 'waiting' || call.status === 'done')
              must(!owed.includes(call.id), `${call.id} is owed though it is ${call.status}`);
          }
        }
      }),
      runs,
    );
  });
});
