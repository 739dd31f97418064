/** An action that somebody answered before, or that nobody can answer any more: who and how. */
import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { actorName } from './actor-name.ts';
import type { CommandContext } from './command-context.ts';
import { answeredText } from './output/describe.ts';
import { isYesOrNo } from './yes-or-no.ts';

/** What became of an action: `allowed` is an answered confirmation or approval. */
export const outcomeOf = (action: OpenAction): string => (isYesOrNo(action) && action.status === 'answered' ? 'allowed' : action.status.replaceAll('_', ' '));

/** In the words of its kind: a tool call is allowed, an approval is given. */
export const outcomeWord = ({ kind }: OpenAction, outcome: string): string => (kind === 'approval' && outcome === 'allowed' ? 'approved' : outcome);

/** `already allowed by ada: may rm() run?` */
export const closedText = async ({ client }: CommandContext, action: OpenAction): Promise<string> => {
  const by = action.resolved_by === undefined ? '' : ` by ${await actorName(client, action.resolved_by)}`;
  return `already ${outcomeWord(action, outcomeOf(action))}${by}: ${answeredText(action)}`;
};

/** Throws `action_resolved`: nothing of this answer was taken. */
export const refuseClosed = async (context: CommandContext, action: OpenAction): Promise<never> => {
  const { request_id, status, resolved_by } = action;
  const text = await closedText(context, action);
  throw new TurnkeeperError('action_resolved', `Nothing was changed. ${request_id}: ${text}`, {
    action_id: request_id,
    resolution: status,
    ...(resolved_by === undefined ? {} : { resolved_by }),
  });
};

/** The action as a refused answer shows it; undefined where it was refused for another reason. */
export const closedMeanwhile = (action: OpenAction, error: unknown): OpenAction | undefined => {
  if (!(error instanceof TurnkeeperError)) return undefined;
  // One's own earlier answer was the same decision, in other words.
  if (error.code === 'idempotency_conflict' && action.status !== 'open') return action;
  if (error.code !== 'action_resolved') return undefined;
  const { resolution, resolved_by } = error.details as { readonly resolution?: OpenAction['status']; readonly resolved_by?: string };
  return { ...action, status: resolution ?? 'answered', ...(resolved_by === undefined ? {} : { resolved_by }) };
};
