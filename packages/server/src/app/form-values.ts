/**
 * What people filled into a form, held to the form's schema before the answer is taken.
 *
 * A14 A form that is submitted fits its schema; what does not fit is refused to whoever filled it in, by its place.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { App } from './app.ts';
import type { PlacedAnswer } from './edited-input.ts';

/** What of submitted values their forms' schemas refuse, by JSON pointer within the request. */
export const formFaults = async (app: App, answers: readonly PlacedAnswer[]): Promise<readonly Fault[]> => {
  const faults: Fault[] = [];
  // One by one [Q6].
  for (const { answer, action, at } of answers) {
    const { payload } = answer;
    if (payload.kind !== 'form' || !payload.submitted || action.form === undefined) continue;
    const unfit = await app.tools.inputFaults(action.form.schema as JsonObject, payload.values ?? {});
    faults.push(...unfit.map(({ pointer, detail }) => ({ pointer: `${at}/values${pointer}`, detail })));
  }
  return faults;
};
