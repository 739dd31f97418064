/** What is said of the steps of workflows and teams: of what type each is, and how it stands. */
import type { TextKey } from '../i18n/en.ts';
import type { Text } from '../i18n/use-text.ts';

const typeTexts: Readonly<Record<string, TextKey>> = {
  ...({ agent: 'nodeAgent', team: 'nodeTeam', subrun: 'nodeSubrun', condition: 'nodeCondition', join: 'nodeJoin' } as const),
  ...({ approval: 'nodeApproval', timer: 'nodeTimer', signal: 'nodeSignal', map: 'nodeMap' } as const),
};
const statusTexts: Readonly<Record<string, TextKey>> = {
  ...({ pending: 'stepPending', running: 'stepRunning', waiting: 'stepWaiting', sleeping: 'stepSleeping', delayed: 'stepDelayed' } as const),
  ...({ succeeded: 'stepSucceeded', failed: 'stepFailed', timed_out: 'stepTimedOut', rejected: 'stepRejected' } as const),
  ...({ cancelled: 'stepCancelled', skipped: 'stepSkipped' } as const),
};
/** In the reader's words, as far as they are known here. */
const wordFor = (texts: Readonly<Record<string, TextKey>>, word: string, t: Text): string => {
  const key = Object.hasOwn(texts, word) ? texts[word] : undefined;
  return key === undefined ? word : t(key);
};
export const typeWord = (type: string, t: Text): string => wordFor(typeTexts, type, t);
export const statusWord = (status: string, t: Text): string => wordFor(statusTexts, status, t);
