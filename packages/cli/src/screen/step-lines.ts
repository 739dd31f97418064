/** Steps of teams' and workflows' turns, one row each. */
import type { StepBody } from '@turnkeeper/core/view/step';
import { oneLine } from '../output/printable.ts';
import { stepFacts, stepMarks } from '../output/step-text.ts';
import { type Line, span } from './line.ts';

export const stepLine = (step: StepBody): Line => {
  const [mark, look] = stepMarks[step.status];
  // An element of a map stands below it.
  const indent = step.key.includes('.') ? '    ' : '  ';
  const name = oneLine(step.name ?? step.key, 60);
  return [span(indent), span(`${mark} `, look), step.status === 'skipped' ? span(name, 'dim') : span(name), span(`  ${stepFacts(step)}`, 'dim')];
};
