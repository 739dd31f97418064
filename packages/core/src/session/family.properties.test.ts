/**
 * Whatever is done to a family of sessions, in whatever order, and wherever a process dies: everything comes to its end, and
 * every outcome reaches its parent once (CH1–CH10).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answer,
  call,
  cancel,
  delegating,
  exceedBudget,
  external,
  handedOver,
  inject,
  lost,
  modelFailed,
  result,
  resume,
  steer,
  stopped,
  submit,
  to,
  type Wish,
} from '../testing/commands.ts';
import { type Family, type Member, newFamily, owedBy, perform, tellLate, tellMember } from '../testing/family.ts';
import { compactWish } from '../testing/family-wishes.ts';
import type { RequestedCall } from './commands.ts';
import { assemblePrompt, transcriptFault } from './context.ts';
import { outcomeEvents } from './events.ts';

type Choice = { readonly pick: number; readonly with: number };
const choices = fc.array(fc.record({ pick: fc.nat(9_999), with: fc.nat(9_999) }), { maxLength: 80, size: 'max' });
const depthOf = ({ name }: Member): number => (name ? name.path.split('/').length : 0);

/** What a member's model asks for: children while it may go deeper, now and then something of the application. */
const scriptBy =
  (bits: number) =>
  (member: Member): readonly RequestedCall[] => {
    const n = member.asked;
    if (n >= 2) return [];
    const mine = (bits >> (depthOf(member) * 3)) % 6;
    const deeper = depthOf(member) < 2;
    const asks = mine % 2 === 1 ? [call(`x${n}`, external)] : [];
    if (!deeper || mine === 0) return asks;
    return [...asks, delegating(`fg${n}`), ...(mine > 2 ? [delegating(`bg${n}`, true)] : []), ...(mine === 5 ? [delegating(`fh${n}`)] : [])];
  };

/** What is said to a turn meanwhile, what becomes of its context, and what ends its run though not itself. */
const said = (family: Family, member: Member, name: string, bits: number): void => {
  const wishes: readonly Wish[] = [
    steer(name, family.at),
    inject(family.at),
    handedOver,
    stopped('timed_out'),
    modelFailed({ retryable: bits % 2 > 0, retryAt: 0 }),
    compactWish(member.rows, bits) ?? handedOver,
  ];
  tellMember(family, member, wishes[(bits >> 3) % wishes.length] as Wish);
};

/** What people do now and then: answer at the child, cancel anywhere. */
const meddle = (family: Family, bits: number): void => {
  const members = [...family.members.values()];
  const member = members[bits % members.length];
  const { live, last } = member?.state ?? {};
  if (member && !live && last?.outcome === 'failed' && bits % 2 > 0)
    tellMember(family, member, { ...resume(last.id.slice('turn_'.length)), commandId: `cmd_${family.at}` } as Wish);
  if (!member || !live) return;
  const name = live.id.slice('turn_'.length);
  const own = live.openActions.find(({ childId }) => childId === undefined);
  if (own && bits % 3 > 0) tellMember(family, member, { ...answer(name, to(own.id, result())), commandId: `cmd_${family.at}` });
  else if (bits % 17 === 0) tellMember(family, member, cancel(name, `cmd_${family.at}`));
  else if (bits % 5 === 0) said(family, member, name, bits);
  else if (bits % 4 === 0 && live.status === 'running') tellMember(family, member, lost);
  else if (live.status === 'running') tellMember(family, member, exceedBudget);
  else if (live.status === 'interrupted' && bits % 2 === 0) tellMember(family, member, { ...resume(name), commandId: `cmd_${family.at}` } as Wish);
};

const live = (list: readonly Choice[], bits: number, begun?: Wish): { readonly family: Family; readonly root: Member } => {
  const { family, root } = newFamily(begun);
  for (const name of ['a', 'b']) tellMember(family, root, submit(name));
  const script = scriptBy(bits);
  for (const choice of list) {
    const owed = owedBy(family);
    const next = owed[choice.pick % Math.max(owed.length, 1)];
    if (choice.with % 6 === 5) tellLate(family, choice.pick);
    else if (next && choice.with % 5 > 0) perform(family, next[0], next[1], script, choice.with % 7 === 0);
    else meddle(family, choice.with);
  }
  return { family, root };
};

/** A child that is stopped, and that its parent waits for, stops its parent (CH9). */
const unseen = (family: Family): void => {
  for (const { id, state } of family.members.values()) {
    const parent = state.parent && family.members.get(state.parent.id)?.state.live;
    const waits = parent?.calls.some((entry) => entry.status === 'delegated' && entry.childId === id);
    if (state.live?.status === 'interrupted' && waits && parent?.status !== 'interrupted')
      family.faults.push(`${id} is stopped, and its parent ${parent?.status}`);
  }
};

/** Does all that is owed, and answers what is open, until nothing is left. */
const rest = (family: Family, bits: number): boolean => {
  for (let n = 0; n < 3_000; n += 1) {
    const owed = owedBy(family);
    // In turns: what only waits for another member is looked at again and again.
    const next = owed[n % Math.max(owed.length, 1)];
    if (next) perform(family, next[0], next[1], scriptBy(bits), false);
    else {
      const waiting = [...family.members.values()].find(({ state }) => state.live?.openActions.some(({ childId }) => childId === undefined));
      const own = waiting?.state.live?.openActions.find(({ childId }) => childId === undefined);
      if (!waiting?.state.live || !own) {
        // The root's before its children's: with it they go on.
        const stopped = [...family.members.values()].find(({ state }) => state.live?.status === 'interrupted');
        if (!stopped?.state.live) return true;
        unseen(family);
        tellMember(family, stopped, { ...resume(stopped.state.live.id.slice('turn_'.length)), commandId: `cmd_${family.at}` } as Wish);
        continue;
      }
      tellMember(family, waiting, { ...answer(waiting.state.live.id.slice('turn_'.length), to(own.id, result())), commandId: `cmd_${family.at}` });
    }
  }
  return false;
};

const faultsOf = ({ id, state, log, rows }: Member): readonly string[] => {
  const faults: string[] = [];
  if (state.live || state.queue.length > 0) faults.push('its turn never ended');
  if (state.inputs?.some(({ turnId }) => turnId !== undefined) || (state.parent && state.inputs)) faults.push('an input waits for nobody');
  if (state.children) faults.push(`children are open: ${JSON.stringify(state.children)}`);
  if (state.parent && state.parent.told !== state.parent.news) faults.push('its parent was not told');
  const of = (type: string): readonly string[] =>
    log.flatMap((event) => (event.type === type && 'child_session_id' in event.data ? [String(event.data.child_session_id)] : []));
  const [started, completed] = [of('subagent.started'), of('subagent.completed')];
  if (new Set(completed).size !== completed.length || started.join() !== [...new Set(started)].join()) faults.push('a child started or ended twice');
  for (const child of started) if (!completed.includes(child)) faults.push(`${child} never completed`);
  const asked = log.flatMap((event) => (event.type === 'required_action.created' ? [event.data.request_id] : []));
  if (new Set(asked).size !== asked.length) faults.push('an action is shown twice (CH10)');
  const fault = transcriptFault(assemblePrompt(rows));
  if (fault !== undefined) faults.push(fault);
  return faults.map((what) => `${id}: ${what}`);
};

describe('any family', () => {
  it('comes to its end, with every outcome told once', () => {
    fc.assert(
      fc.property(choices, fc.nat(999), (list, bits) => {
        const { family, root } = live(list, bits);
        expect(rest(family, bits), 'no end in sight').toBe(true);
        expect([...family.faults, ...[...family.members.values()].flatMap(faultsOf)]).toEqual([]);
        expect(root.state.last).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });

  it('uses the result of every child in the background once', () => {
    fc.assert(
      fc.property(choices, fc.nat(999), (list, bits) => {
        const { family } = live(list, bits);
        rest(family, bits);
        for (const { log } of family.members.values()) {
          const accepted = log.flatMap((event) => (event.type === 'input.accepted' && event.data.kind === 'subagent' ? [event.data.input_id] : []));
          const background = log.flatMap((event) => (event.type === 'subagent.started' && event.data.background ? [event.data.child_session_id] : []));
          expect(new Set(accepted).size).toBe(accepted.length);
          expect(accepted.every((id) => background.includes(`ses_${id.slice('inp_'.length)}`))).toBe(true);
        }
      }),
      { numRuns: 80 },
    );
  });
});

/** How the steps of a log went: each begins once, is tried in order, and comes to one end before its turn does. */
const stepFaults = ({ log }: Member): readonly string[] => {
  const faults: string[] = [];
  const open = new Map<string, number>();
  const over = new Set<string>();
  for (const event of log) {
    if (outcomeEvents.has(event.type) && open.size > 0) faults.push(`${event.type} leaves steps open: ${[...open.keys()].join()}`);
    if (event.type !== 'step.updated' && event.type !== 'step.failed') continue;
    const { step_id: id, status, attempt, until } = event.data;
    if (over.has(id)) faults.push(`${id} is ${status} after its end`);
    if (attempt - (open.get(id) ?? 0) > 1) faults.push(`${id} is tried out of order`);
    if (status === 'running' || status === 'delayed' || until !== undefined) open.set(id, attempt);
    else {
      open.delete(id);
      over.add(id);
    }
  }
  return faults;
};

describe('any team', () => {
  const parallel = (bits: number): Wish => ({ type: 'create', target: 'team', ...(bits % 3 > 0 ? { maxParallel: bits % 3 } : {}) });

  it('comes to its end: every step once, no more at once than may be, and nothing left for a next turn (TQ1–TQ6)', () => {
    fc.assert(
      fc.property(choices, fc.nat(999), (list, bits) => {
        const { family, root } = live(list, bits, parallel(bits));
        expect(rest(family, bits), 'no end in sight').toBe(true);
        expect([...family.faults, ...[...family.members.values()].flatMap(faultsOf), ...stepFaults(root)]).toEqual([]);
        expect(root.state.last).toBeDefined();
        expect(root.state.inputs?.filter(({ ofChild }) => ofChild) ?? []).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
