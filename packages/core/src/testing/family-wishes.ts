/** What a session's children tell it, and what becomes of its context, in the words of random histories (arbitraries.ts). */
import type { ChildReport } from '../session/child-report.ts';
import type { RequestedCall } from '../session/commands.ts';
import { planCompaction } from '../session/compaction.ts';
import { type ContextRow, visibleRows } from '../session/context.ts';
import { isOfChild } from '../session/evolve-children.ts';
import type { ChildOutcome, ChildStatus } from '../session/family-events.ts';
import type { ChildLink, SessionState } from '../session/state.ts';
import { childEnded, childMade, childResumed, childTells, delegating, type Wish } from './commands.ts';

const pickFrom = <Each>(list: readonly [Each, ...Each[]], by: number): Each => list[by % list.length] as Each;
const outcomes: readonly [ChildOutcome, ...ChildOutcome[]] = ['completed', 'completed', 'failed', 'cancelled', 'timed_out', 'gone'];
const statuses: readonly [ChildStatus, ...ChildStatus[]] = ['running', 'requires_action', 'interrupted'];

/** Now and then one that asks first, or works in the background. */
export const delegatedCall = (id: string, bits: number): RequestedCall => ({ ...delegating(id, (bits & 2) > 0), replaySafe: true, asks: bits % 5 === 0 });

/** What a child, or one of its own, asks for the first time. */
const asked = ({ id }: ChildLink, n: number): ChildReport['actions'][number] => ({
  ...{ request_id: `act_${id.slice('ses_'.length)}_${n}`, child_session_id: n % 2 ? id : `${id}-1`, kind: 'external_execution', version: 1 },
  tool_call: { id: `x${n}`, name: 'tool_x', input: {} },
  answer_schema: {},
  approver: 'application',
});

/** What it asks: some of what is shown already, and now and then something new. */
const openIn = (link: ChildLink, { live }: SessionState, bits: number, n: number): ChildReport['actions'] => [
  ...(live?.openActions ?? []).flatMap(({ id, childId }, at) =>
    childId !== undefined && isOfChild(link, childId) && (bits >> at) & 1 ? [{ ...asked(link, n), request_id: id, child_session_id: childId }] : [],
  ),
  ...(bits & 64 ? [asked(link, n)] : []),
];

/** A child's word, or what was done about it; also what it may have told before. */
export const childWish = (link: ChildLink, state: SessionState, bits: number, n: number): Wish => {
  const { id, resume } = link;
  if (resume && bits % 3) return childResumed(id);
  if (bits % 4 === 0) return childEnded(id, pickFrom(outcomes, bits >> 2));
  if (bits % 4 === 1) return childMade(id);
  const status = pickFrom(statuses, bits >> 2);
  // One that was stopped at an unknown result asks, too.
  return childTells(id, { is: { status }, actions: status === 'running' ? [] : openIn(link, state, bits, n) });
};

/** A summary in place of what was said before, where there is something to replace. */
export const compactWish = (rows: readonly ContextRow[], bits: number): Wish | undefined => {
  const plan = planCompaction(visibleRows(rows), { window: 1 + (bits % 200), fixed: 0, refusals: 1 });
  return plan && { type: 'compact', model: 'demo:test', summary: 'in short', keepFrom: plan.keepFrom, replaced: plan.replaced };
};

/** The context as it was at a settled point, or that of another session. */
export const contextWishes = (state: SessionState, places: readonly number[], bits: number): readonly Wish[] => {
  const upto = places[bits % Math.max(places.length, 1)];
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'of elsewhere' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'taken over' }] },
  ] as const;
  return [
    ...(upto === undefined ? [] : [{ type: 'restore_context', checkpointId: 'ckpt_x', fromTurn: null, upto, reason: 'the wrong way' } as const]),
    ...(state.turns === 0 ? [{ type: 'initialize_context', messages, reason: 'a trial' } as const] : []),
  ];
};
