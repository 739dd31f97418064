/**
 * What the steps of a workflow's turn came to, as far as a plan looks at it.
 *
 * PU1 It is read a few at a time, and of a step only what it came to is kept. Of a map's elements no more is read than its output may be
 *     long: what lies beyond could only be too long, too, and a plan made without it is the same (GP1).
 */
import { stepOf } from '@turnkeeper/core/session/flow';
import { stepId } from '@turnkeeper/core/session/ids';
import type { LiveTurn } from '@turnkeeper/core/session/state';
import type { StepBody } from '@turnkeeper/core/view/step';
import { resultsNeeded, type StepResult } from '@turnkeeper/core/workflow/flow-progress';
import { mostCharacters } from '@turnkeeper/core/workflow/plan-start';
import { asText } from '@turnkeeper/core/workflow/prompt-template';
import type { SessionStore } from '../ports/session-store.ts';

/** Steps that are read at once: each may hold a million characters that it was given, and as many that it came to. */
export const stepsAtOnce = 20;

type Results = Record<string, StepResult>;
type Read = { readonly store: Pick<SessionStore, 'resourcesOf'>; readonly sid: number; readonly live: LiveTurn };

/** By key. */
export const flowResults = async ({ store, sid, live }: Read): Promise<Readonly<Results>> => {
  const { flow } = live;
  if (!flow) return {};
  const { keys, maps } = resultsNeeded(flow);
  const found: Results = {};
  await readInto(found, { store, sid, live }, keys);
  for (const map of maps) {
    const elements = Array.from({ length: stepOf(flow, map)?.map?.total ?? 0 }, (_, index) => `${map}.${index}`);
    await readInto(found, { store, sid, live }, elements, mostCharacters);
  }
  return found;
};

/** `enough`: after so many characters of outputs the rest is not read. */
const readInto = async (found: Results, { store, sid, live }: Read, keys: readonly string[], enough = Infinity): Promise<void> => {
  let characters = 0;
  for (let at = 0; at < keys.length && characters <= enough; at += stepsAtOnce) {
    const ids = keys.slice(at, at + stepsAtOnce).map((key) => stepId(live.id, key, live.flow?.tries));
    for (const { body } of await store.resourcesOf(sid, ids)) {
      const step = JSON.parse(body) as StepBody;
      found[step.key] = resultOf(step);
      characters += step.output === undefined ? 0 : asText(step.output).length;
    }
  }
};

const resultOf = ({ output, error_code, error_message }: StepBody): StepResult => ({
  ...(output === undefined ? {} : { output }),
  ...(error_code === undefined ? {} : { errorCode: error_code }),
  ...(error_message === undefined ? {} : { errorMessage: error_message }),
});
