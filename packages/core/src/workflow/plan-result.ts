/** How a workflow's turn ends: what of its failures counts, and what it comes to. */
import type { Json, JsonObject } from '../protocol/json.ts';
import type { FailurePolicy } from '../protocol/wire/workflows.ts';
import { type FlowStep, isEnd } from '../session/flow.ts';
import { endOf, evaluateIn, isOver, move, type Progress } from './flow-progress.ts';
import { type GraphNode, lastNodes } from './graph.ts';
import { policyOf } from './node-rules.ts';
import { isTooLarge, lostRace, mostCharacters } from './plan-start.ts';
import { asText } from './prompt-template.ts';

export type Failure = { readonly policy: FailurePolicy; readonly errorCode: string; readonly errorMessage: string };

/** The failure of a routed step that no edge takes up; none of what succeeded, was skipped, or lost a race. */
export const unhandledFailure = (progress: Progress, known: GraphNode): Failure | undefined => {
  const { key, name } = known.node;
  const step = progress.steps.get(key);
  if (!isOver(step) || step.status === 'succeeded' || step.status === 'skipped' || (step.taken ?? []).length > 0) return undefined;
  if (step.status === 'cancelled' && lostRace(progress, key)) return undefined;
  const { errorCode, errorMessage } = progress.results.get(key) ?? {};
  const what = `The step "${name ?? key}" ended as ${step.status}`;
  return {
    policy: policyOf(progress.graph, known),
    errorCode: errorCode ?? 'step_failed',
    errorMessage: errorMessage === undefined ? `${what}.` : `${what}: ${errorMessage}`,
  };
};

/** Elements of a map that failed where it may succeed without them. */
const isPartial = ({ node }: GraphNode, step: FlowStep | undefined): boolean =>
  node.type === 'map' && node.failurePolicy === 'partial_success' && step?.status === 'succeeded' && (step.map?.failed ?? 0) > 0;

/** Ends the turn once every node has ended and is routed. */
export const planEnd = (progress: Progress): undefined => {
  const nodes = [...progress.graph.nodes.values()];
  const steps = nodes.map(({ node }) => progress.steps.get(node.key));
  if (!steps.every((step) => step !== undefined && isEnd(step.status) && step.taken !== undefined)) return;
  const failures = nodes.flatMap((known) => unhandledFailure(progress, known) ?? []);
  const succeeded = lastNodes(progress.graph).filter((key) => endOf(progress, key) === 'succeeded');
  const [first] = failures;
  if (first && succeeded.length === 0) return move(progress, { do: 'fail', errorCode: first.errorCode, errorMessage: first.errorMessage });
  const partial = failures.some(({ policy }) => policy === 'partial_success') || nodes.some((known, at) => isPartial(known, steps[at]));
  const result = resultOf(progress, succeeded);
  if (!result.ok) return move(progress, { do: 'fail', errorCode: result.errorCode, errorMessage: result.errorMessage });
  move(progress, { do: 'finish', outcome: partial ? 'partial_succeeded' : 'completed', outputText: textOf(result.value), result: result.value });
};

type Result =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly errorCode: 'expression_failed' | 'output_too_large'; readonly errorMessage: string };

const resultOf = (progress: Progress, succeeded: readonly string[]): Result => {
  const { output } = progress.input.spec;
  const value = output === undefined ? ({ ok: true, value: outputsOf(progress, succeeded) } as const) : evaluateIn(progress, output);
  if (!value.ok) return { ok: false, errorCode: 'expression_failed', errorMessage: `The workflow's output failed: ${value.detail}` };
  if (!isTooLarge(value.value)) return value;
  return { ok: false, errorCode: 'output_too_large', errorMessage: `What the workflow came to is longer than ${mostCharacters} characters.` };
};

/** A join at the end stands for what it joined: of each step whose edge it took, the output. */
const outputsOf = ({ graph, results }: Progress, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.map((key) => {
      const output = results.get(key)?.output ?? null;
      if (graph.nodes.get(key)?.node.type !== 'join' || !Array.isArray(output)) return [key, output];
      return [key, Object.fromEntries(output.map((from) => [String(from), results.get(String(from))?.output ?? null]))];
    }),
  );

/** For people: the one text that it comes to, where it is one. */
const textOf = (result: Json): string => {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return asText(result);
  const values = Object.values(result);
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : asText(result);
};
