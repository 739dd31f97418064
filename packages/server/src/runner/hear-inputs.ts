/**
 * What was said to the turn that runs becomes part of it, read where it was kept when it was accepted (IN2).
 *
 * One commit takes as many as are not too large together, and at least one: the rest is owed again.
 */
import type { AppliedInput } from '@turnkeeper/core/session/commands';
import { atModel } from '@turnkeeper/core/session/decide/at-model';
import { inputsFor } from '@turnkeeper/core/session/decide/inputs';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { SessionStore } from '../ports/session-store.ts';
import type { StepReport } from './model-step.ts';

const mostBytes = 4 * 1024 * 1024;

const read = async (store: SessionStore, sid: number, ids: readonly string[]): Promise<readonly AppliedInput[]> => {
  const inputs: AppliedInput[] = [];
  let bytes = 0;
  for (const id of ids) {
    const row = await store.resource(sid, id);
    if (!row) throw new Error(`the input ${id} is missing`);
    bytes += row.body.length;
    if (inputs.length > 0 && bytes > mostBytes) break;
    inputs.push({ id, input: (JSON.parse(row.body) as InputBody).input });
  }
  return inputs;
};

type Hearing = {
  readonly store: SessionStore;
  readonly sid: number;
  readonly turnId: TurnId;
  /** The ids of what waits, in order. */
  readonly inputs: readonly string[];
  readonly report: StepReport;
};

/** The turn may have been ended meanwhile: then what was said to it is closed, and nothing is asked. */
export const hearInputs = async ({ store, sid, turnId, inputs, report }: Hearing): Promise<void> => {
  const said = await read(store, sid, inputs);
  await report((state) => {
    const waiting = new Set(atModel(state)?.id === turnId ? inputsFor(state, turnId).map(({ id }) => id) : []);
    const asked = said.filter(({ id }) => waiting.has(id));
    return asked.length > 0 ? [{ type: 'apply_inputs', inputs: asked }] : [];
  });
};
