import type { ModelStep } from './model-step.ts';

/** Where a call belongs: the run that was open when it began. `ahead`: a model call begins the next step, its tools are of it. */
export const inRun = ({ session, turnId }: Pick<ModelStep, 'session' | 'turnId'>, ahead: 0 | 1) => ({
  sessionId: session.row.id,
  turnId,
  run: session.state.live?.runs ?? 0,
  step: (session.state.live?.steps ?? 0) + ahead,
  ...(session.state.live?.check?.tries ? { tries: session.state.live.check.tries } : {}),
});
