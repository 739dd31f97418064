/** What holds of every session, whatever is done to it: the state and what it owes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { history, payloadFor, tightRules } from '../testing/arbitraries.ts';
import { answer, to } from '../testing/commands.ts';
import { doneBy, drain } from '../testing/drain.ts';
import { must } from '../testing/must.ts';
import type { Command } from './commands.ts';
import { resumeRefusal } from './decide/client.ts';
import { decide } from './decide.ts';
import { fold } from './evolve.ts';
import { brokenInvariant } from './invariants.ts';
import { dueAt, pendingWork } from './pending-work.ts';
import { emptyState, unfinishedTurns } from './state.ts';

const runs = { numRuns: 1_000 };

const isInquiry = (kind: string): boolean => ['question', 'form', 'approval', 'signal'].includes(kind);

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

  it('leaves every unfinished turn a way on: work is owed, an action is open, or it can be resumed (P1)', () => {
    let resumable = 0;
    fc.assert(
      fc.property(history(), ({ steps }) => {
        for (const { decision } of steps) {
          if (!decision.ok) continue;
          const { state } = decision;
          const open = state.live?.openActions.length ?? 0;
          // A child that waits for people tells when it goes on.
          const waits = (state.children ?? []).some(
            ({ id, status }) => status === 'requires_action' && state.live?.calls.some(({ childId }) => childId === id),
          );
          if (waits && state.live?.status === 'requires_action') continue;
          if (state.terminated || unfinishedTurns(state) === 0 || pendingWork(state).length + open > 0) continue;
          must(state.live !== undefined && resumeRefusal(state, state.live.id) === undefined, () => `stuck: ${JSON.stringify(state)}`);
          resumable += 1;
        }
      }),
      runs,
    );
    expect(resumable).toBeGreaterThan(5);
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
              work.every((entry) => entry.kind === 'expire' || entry.kind === 'child'),
              () => `a parked turn owes ${JSON.stringify(work)}`,
            );
          }
          if (decision.state.terminated || unfinishedTurns(decision.state) === 0)
            must(
              work.every((entry) => entry.kind === 'child' && !decision.state.terminated),
              'work without a turn',
            );
        }
      }),
      runs,
    );
  });

  it('owes only what can be done: the command that reports it is accepted, and so is each right answer', () => {
    fc.assert(
      fc.property(history(), ({ state, at }) => {
        for (const work of pendingWork(state)) {
          const when = Math.max(at, 'notBefore' in work ? (work.notBefore ?? 0) : 0);
          expect(decide(state, { ...doneBy(work, state), at: when } as Command, tightRules), work.kind).toMatchObject({ ok: true });
        }
        for (const action of state.live?.openActions.filter(({ childId }) => childId === undefined) ?? []) {
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

  it('never asks again for a tool that was allowed for the session, unless it asks every time (S24)', () => {
    let remembered = 0;
    fc.assert(
      fc.property(history(), ({ steps }) => {
        const allowed = new Set<string>();
        for (const { command, decision } of steps) {
          if (!decision.ok) continue;
          const always = new Set(command.type === 'model_done' ? command.calls.flatMap((call) => (call.alwaysAsks ? [call.id] : [])) : []);
          for (const event of decision.events) {
            if (event.type === 'required_action.resolved' && event.data.remembered_tool !== undefined) {
              allowed.add(event.data.remembered_tool);
              remembered += 1;
            }
            if (event.type !== 'required_action.created' || event.data.kind !== 'confirmation') continue;
            const { id = '', name = '' } = event.data.tool_call ?? {};
            must(!allowed.has(name) || always.has(id), () => `asked again for ${name}`);
            must(event.data.can_remember === !always.has(id), () => `${id} says that it can be remembered, or does not`);
          }
          must(JSON.stringify(decision.state.allowedTools ?? []) === JSON.stringify([...allowed]), 'what is allowed and the state disagree');
        }
      }),
      runs,
    );
    expect(remembered).toBeGreaterThan(5);
  });

  it('never runs, confirms or repeats a call that asks people: it waits for its answer, and its answer is its result (S23)', () => {
    let asked = 0;
    fc.assert(
      fc.property(history(), ({ steps }) => {
        const questions = new Map<string, string>();
        for (const { decision } of steps) {
          if (!decision.ok) continue;
          const people = new Set((decision.state.live?.calls ?? []).flatMap((call) => (call.executor === 'person' ? [call.id] : [])));
          for (const work of pendingWork(decision.state)) must(work.kind !== 'tool' || !people.has(work.callId), 'a question is owed to a runner');
          for (const event of decision.events) {
            if (event.type === 'required_action.created' && event.data.while_running) {
              must(!people.has(event.data.tool_call?.id ?? ''), 'a question asks while it runs');
            } else if (event.type === 'required_action.created' && isInquiry(event.data.kind)) {
              asked += 1;
              questions.set(event.data.tool_call?.id ?? '', event.data.request_id);
            } else if (event.type === 'required_action.created') must(!people.has(event.data.tool_call?.id ?? ''), `a question is asked as ${event.data.kind}`);
            if (event.type === 'tool.dispatched') must(!questions.has(event.data.tool_call_id), 'a question is dispatched');
            if (event.type === 'tool.completed')
              must(event.data.status !== 'unknown' || !questions.has(event.data.tool_call_id), 'a question has an unknown result');
          }
        }
      }),
      runs,
    );
    expect(asked).toBeGreaterThan(5);
  });

  it('closes the forms of running calls with them, once each, and settles no call by an answer to one (RN1, RN2)', () => {
    let closed = 0;
    fc.assert(
      fc.property(history(), ({ steps }) => {
        const open = new Map<string, string>();
        for (const { command, decision } of steps) {
          if (!decision.ok) continue;
          for (const event of decision.events) {
            if (event.type === 'required_action.created' && event.data.while_running) open.set(event.data.request_id, event.data.tool_call?.id ?? '');
            if (event.type !== 'required_action.resolved' || !event.data.while_running) continue;
            must(open.delete(event.data.request_id), 'a form is closed that was not open');
            closed += 1;
            const id = event.data.tool_call_id;
            const settled = decision.events.some((each) => each.type === 'tool.completed' && each.data.tool_call_id === id);
            must(!settled || (command.type !== 'answer' && command.type !== 'expire'), 'an answer to a form settles its call');
          }
          const { live } = decision.state;
          const running = new Set(live?.status === 'running' ? live.calls.flatMap(({ id, status }) => (status === 'dispatched' ? [id] : [])) : []);
          for (const [request, callId] of open) must(running.has(callId), `${request} is open and its call does not run`);
          must(live?.waitingSince === undefined || [...running].every((id) => [...open.values()].includes(id)), 'its time stands still while something runs');
        }
      }),
      runs,
    );
    // That it occurs at all, often: histories differ from run to run.
    expect(closed).toBeGreaterThan(5);
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
