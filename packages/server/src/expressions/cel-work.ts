/**
 * How much an expression may do. CEL always comes to an end, but that may be far away: lists within lists, texts that double.
 *
 * XP1 Every step of an evaluation is counted, a large value as more than one; beyond `mostWork` the evaluation fails, whatever the
 *     expression makes of errors. No list has more than `longestList` elements and no text more than `longestText` characters at any step.
 */
import { weightOf } from './cel-values.ts';

const mostWork = 500_000;
const longestList = 10_000;
export const longestText = 1_000_000;

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}
/** Made once: where many elements fail by it, each costs nothing. */
const exhausted = new TooMuchWork('it takes too much work: lists are too long, or too deep within one another');

let left = 0;

export const spend = (work: number): void => {
  left -= work;
  if (left < 0) throw exhausted;
};

/** Evaluates within bounds. Once they are reached each further step fails, so an error overlooked within (`||`, `exists`) comes back. */
export const withinBounds = <T>(evaluate: () => T): T => {
  left = mostWork;
  return evaluate();
};

const weigh = (value: unknown): void => {
  if (typeof value === 'string') {
    if (value.length > longestText) throw new TooMuchWork(`a text in it has more than ${longestText} characters`);
    spend(value.length >> 6);
  } else if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value) && value.length > longestList)
      throw new TooMuchWork(`a list in it has ${value.length} elements; at most ${longestList} are looked at`);
    spend(weightOf(value) >> 4);
  }
};

/** A step of the evaluator: what the library calls, and replaces by what it found at the first call. */
type Step = (this: unknown, evaluator: unknown, node: unknown, context: unknown) => unknown;
export type Evaluated = { evaluate: Step };

/** Has the evaluation of a node counted; `work`: what it costs beside what it gives. */
export const metered = (node: Evaluated, work: number): void => {
  let step: Step = node.evaluate;
  const counted: Step = (evaluator, ast, context) => {
    spend(work);
    const value = step.call(node, evaluator, ast, context);
    weigh(value);
    return value;
  };
  Object.defineProperty(node, 'evaluate', {
    get: () => counted,
    set: (found: Step) => {
      step = found;
    },
  });
};
