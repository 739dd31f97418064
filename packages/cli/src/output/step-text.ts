/** Steps of teams' and workflows' turns in words. No colour in here: callers add it. */
import { type StepBody, stepTook } from '@turnkeeper/core/view/step';
import { oneLine } from './printable.ts';
import type { Style } from './style.ts';

export const stepMarks: Readonly<Record<StepBody['status'], readonly [mark: string, look: keyof Style]>> = {
  running: ['●', 'cyan'],
  waiting: ['?', 'yellow'],
  sleeping: ['◌', 'cyan'],
  delayed: ['◌', 'yellow'],
  succeeded: ['✓', 'green'],
  failed: ['✗', 'red'],
  timed_out: ['✗', 'red'],
  rejected: ['✗', 'red'],
  cancelled: ['✗', 'red'],
  skipped: ['–', 'dim'],
};

const tookText = (step: StepBody): string => {
  const took = stepTook(step);
  return took === undefined ? '' : ` · ${(took / 1000).toFixed(1)} s`;
};
const untilText = ({ until }: StepBody): string => (until === undefined ? '' : ` until ${new Date(until).toISOString().slice(0, 19).replace('T', ' ')}Z`);

/** What stands behind its name: what it is, how it does, how far it is. */
export const stepFacts = (step: StepBody): string => {
  const { type, status, attempt, map, error_code } = step;
  const again = attempt > 1 ? ` · try ${attempt}` : '';
  const parts = map === undefined ? '' : ` · ${map.ended} of ${map.total}${map.failed > 0 ? `, ${map.failed} failed` : ''}`;
  const fault = error_code === undefined ? '' : `: ${oneLine(error_code, 60)}`;
  return `${oneLine(type, 20)} · ${status.replaceAll('_', ' ')}${fault}${untilText(step)}${again}${parts}${tookText(step)}`;
};
