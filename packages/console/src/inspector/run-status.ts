/** How turns and child sessions stand: in words, and as the dot beside them. */
import type { TextKey } from '../i18n/en.ts';

const texts: { readonly [status: string]: TextKey } = {
  queued: 'queued',
  running: 'statusRunning',
  requires_action: 'statusWaiting',
  interrupted: 'interrupted',
  sleeping: 'stepSleeping',
  completed: 'outcomeCompleted',
  partial_succeeded: 'outcomePartial',
  failed: 'outcomeFailed',
  cancelled: 'outcomeCancelled',
  timed_out: 'outcomeTimedOut',
};
export const statusText = (status: string): TextKey | undefined => texts[status];

export const toneOf = (status: string): 'running' | 'waiting' | 'failed' | 'idle' => {
  if (status === 'running') return 'running';
  if (status === 'requires_action' || status === 'interrupted') return 'waiting';
  return status === 'failed' || status === 'timed_out' ? 'failed' : 'idle';
};
