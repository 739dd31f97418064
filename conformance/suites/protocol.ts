/** All suites, for one server. */
import type { Target } from '../client/target.ts';
import { describeActions } from './actions.ts';
import { describeAgents } from './agents.ts';
import { describeCancel } from './cancel.ts';
import { describeErrors } from './errors.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeOddRequests } from './odd-requests.ts';
import { describeSessions } from './sessions.ts';
import { describeStreams } from './streams.ts';
import { describeTurns } from './turns.ts';
import { describeViews } from './views.ts';

export type Suite = (target: () => Target) => void;

export const describeProtocol: Suite = (target) => {
  describeAgents(target);
  describeSessions(target);
  describeTurns(target);
  describeIdempotency(target);
  describeStreams(target);
  describeViews(target);
  describeCancel(target);
  describeActions(target);
  describeErrors(target);
  describeOddRequests(target);
};
