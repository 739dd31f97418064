/**
 * The output of a turn, where its session says what that must be.
 *
 * Owns: what becomes of an answer that is judged to be no such output. Whether it is one is judged outside, by the schema that
 * was frozen with the session: a schema may take as long as it likes.
 *
 * OU1 A turn whose session asks for an output of some shape ends `completed` with a `result` of that shape, or it does not end
 *     `completed`.
 * OU2 An answer that does not fit is told to the model once (once in each try: OC4), with its faults, while it has a step left; the
 *     second one fails the turn.
 */
import type { JudgedOutput, SessionRules } from '../commands.ts';
import type { ContextEntry } from '../context.ts';
import type { Draft } from '../decision.ts';
import type { LiveTurn } from '../state.ts';
import { closeTurn } from './closing.ts';

type Refused = Extract<JudgedOutput, { ok: false }>;

/** What the model is told of its answer, where it gets another try; undefined where it gets none. */
export const repairOf = (
  live: LiveTurn,
  judged: JudgedOutput | undefined,
  rules: SessionRules,
): { readonly faults: readonly string[]; readonly entry: ContextEntry } | undefined => {
  if (!judged || judged.ok || judged.repair === undefined || live.repairs === true || live.steps + 1 >= rules.maxSteps) return undefined;
  return { faults: judged.faults, entry: { kind: 'message', message: { role: 'user', content: [{ type: 'text', text: judged.repair }] } } };
};

/** The turn is over without its output. */
export const refuseOutput = (out: Draft, { errorCode, faults }: Refused): void => {
  const errorMessage = `The answer is not the output that the session asks for: ${faults.join('; ')}`;
  closeTurn(out, { outcome: 'failed', partialText: '', errorCode, errorMessage, retryable: false });
};
