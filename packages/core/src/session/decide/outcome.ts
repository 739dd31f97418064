/**
 * Outcome checks: whether what a turn came to is what was asked for, and what follows where it is not.
 *
 * OC1 A turn with criteria ends `completed` with a verdict on the very answer that it ends with; how it ends is not changed by it.
 * OC2 What is not satisfied is tried again while a try is left: an agent and a team are told why, a workflow begins its graph anew.
 * OC3 A judge is a child session: it survives restarts, and what it uses counts in the tree. A judge that comes to nothing satisfies nobody;
 *     one that is not waited for any more is closed as any child is, also where nobody knows whether it was made.
 */
import { cutText, type OutputBlock } from '../../protocol/content.ts';
import { refuse } from '../../protocol/errors.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import { textOf } from '../../protocol/text-of.ts';
import type { ChildReport } from '../child-report.ts';
import type { Command } from '../commands.ts';
import type { ContextEntry } from '../context.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import { childrenCounted } from '../evolve-children.ts';
import { childSessionId, type SessionId } from '../ids.ts';
import type { Concluded, Verdict } from '../outcome.ts';
import { maxChildren, type SessionState } from '../state.ts';
import { hasWaitingSteer } from './inputs.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

/** Code points of a reason, and how many are kept. */
const reasonCharacters = 2_000;
const mostReasons = 20;

const feedback = (reasons: readonly string[]): ContextEntry => {
  const text = `[Your answer was checked, and it is not what is asked for yet:\n${reasons.map((reason) => `- ${reason}`).join('\n')}\nPlease answer again.]`;
  return { kind: 'message', message: { role: 'user', content: [{ type: 'text', text }] } };
};

type Said = { readonly status: 'satisfied' } | { readonly status: 'not_satisfied'; readonly reasons: readonly string[] };

/** Notes the verdict. True when the turn goes on for another try. */
const note = (out: Draft, said: Said): boolean => {
  const { id, check, flow, cancelRequested } = out.live();
  if (!check) return false;
  const reasons = said.status === 'satisfied' ? [] : said.reasons.slice(0, mostReasons).map((reason) => cutText(reason, reasonCharacters));
  const again = said.status === 'not_satisfied' && check.tries + 1 < check.maxTries && !cancelRequested;
  const data = { turn_id: id, try: check.tries + 1, status: said.status, reasons, ...(again ? { again: true as const } : {}) };
  out.emit({ type: 'outcome.checked', data }, again && !flow ? feedback(reasons) : undefined);
  return again;
};

/** A judge is owed. */
const askJudge = (out: Draft, { outputText, result }: Concluded): void => {
  const { id } = out.live();
  const child_session_id = childSessionId(id, (out.state().spawned ?? 0) + 1);
  out.emit({ type: 'outcome.judging', data: { turn_id: id, child_session_id, output_text: outputText, ...(result === undefined ? {} : { result }) } });
};

const noRoom: Said = { status: 'not_satisfied', reasons: [`It could not be judged: ${maxChildren} children of the session are open.`] };

/** What a verdict makes of an answer: `ends` = the turn ends with it. */
export const checked = (out: Draft, verdict: Verdict | undefined, concluded: Concluded): 'ends' | 'goes on' => {
  const { check, cancelRequested } = out.live();
  if (!check || !verdict || check.verdict !== undefined || cancelRequested) return 'ends';
  switch (verdict.status) {
    case 'judge':
      if (check.judge !== undefined) return 'goes on';
      // One that is not remembered would be asked for without end (OC3).
      if (childrenCounted(out.state()) >= maxChildren) return note(out, noRoom) ? 'goes on' : 'ends';
      askJudge(out, concluded);
      return 'goes on';
    case 'satisfied':
    case 'not_satisfied':
      return note(out, verdict) ? 'goes on' : 'ends';
  }
};

type Ended = Extract<ChildReport['is'], { readonly output: readonly OutputBlock[] }>;

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const saidBy = ({ status, output, result }: Ended): Said => {
  const { satisfied, reason: told } = isObject(result) ? result : ({} as JsonObject);
  if (status === 'completed' && satisfied === true) return { status: 'satisfied' };
  const reason = status === 'completed' && typeof told === 'string' ? told : `It could not be judged: ${textOf(output)}`;
  return { status: 'not_satisfied', reasons: [reason] };
};

/** The judge has come to its end. Nothing where the child is no judge. */
export const judgeEnded = (out: Draft, childId: SessionId, is: Ended): void => {
  if (out.state().live?.check?.judge === childId) note(out, saidBy(is));
};

/** Ends the turn with the answer that was judged; `end` says how. */
export const decideConclude = (state: SessionState, { at }: Of<'conclude'>, end: (out: Draft) => void): Decision => {
  const { live } = state;
  if (live?.status !== 'running' || live.check?.verdict === undefined || live.flow || hasWaitingSteer(state, live.id)) {
    return refuse('turn_closed', 'No answer waits for its end.');
  }
  const out = draft(state, at);
  end(out);
  return out.done();
};
