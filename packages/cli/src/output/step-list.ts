/** Steps of a turn as they happen: one line whenever one of them begins, waits or ends. */
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { StepBody } from '@turnkeeper/core/view/step';
import { actionText } from './describe.ts';
import { oneLine } from './printable.ts';
import { stepFacts, stepMarks } from './step-text.ts';
import type { Style } from './style.ts';

export type StepListOptions = { readonly print: (line: string) => void; readonly style: Style };

/** What makes a line of its own: a count within a map does not. */
const stateOf = ({ status, attempt }: StepBody): string => `${status} ${attempt}`;

export const createStepList = ({ print, style }: StepListOptions) => {
  const told = new Map<string, string>();
  const asked = new Set<string>();
  return {
    update: (view: SessionView, turnId: string): void => {
      for (const { data } of view.steps ?? []) {
        if (data.turn_id !== turnId || told.get(data.step_id) === stateOf(data)) continue;
        told.set(data.step_id, stateOf(data));
        const [mark, look] = stepMarks[data.status];
        const indent = data.key.includes('.') ? '    ' : '  ';
        print(`${indent}${look === 'dim' ? style.dim(mark) : style[look](mark)} ${oneLine(data.name ?? data.key, 60)}  ${style.dim(stepFacts(data))}`);
      }
      for (const { data } of view.required_actions) {
        if (data.turn_id !== turnId || asked.has(data.request_id)) continue;
        asked.add(data.request_id);
        print(style.yellow(`  ? ${actionText(data)}  ${data.request_id}`));
      }
    },
  };
};
