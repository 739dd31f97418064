/** `turnkeeper approve [action]` and `turnkeeper deny [action]`: may this tool call run, is this approved? */
import type { OpenAction } from '@turnkeeper/client/calls/actions';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import { closedMeanwhile, closedText, outcomeOf, outcomeWord, refuseClosed } from '../closed-action.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { findAction } from '../find-action.ts';
import { answeredText } from '../output/describe.ts';
import { programName } from '../program-name.ts';
import { isYesOrNo } from '../yes-or-no.ts';

export type ApproveOptions = { readonly input?: string; readonly remember?: boolean; readonly reason?: string };
export type DenyOptions = { readonly reason?: string };

const confirmationOf = async ({ client }: CommandContext, ref: string | undefined): Promise<OpenAction> => {
  const action = await findAction(client, ref, isYesOrNo);
  if (!isYesOrNo(action))
    throw new UsageError(`${action.request_id} is no yes or no (${action.kind}). Answer it with: ${programName} answer ${action.request_id}`);
  return action;
};

const readInput = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Said below, in the same words.
  }
  throw new UsageError('--input must be a JSON object: the arguments that the tool gets instead.');
};

export const reportAnswer = ({ json, print, printJson }: CommandContext, done: string, action: OpenAction, receipt: CommandReceipt): ExitCode => {
  if (json) printJson({ request_id: action.request_id, session_id: action.session_id, turn_id: action.turn_id, ...receipt });
  else print(`${done}: ${answeredText(action)}`);
  return exitCodes.completed;
};

/** The call as it was let run. */
const withInput = (action: OpenAction, input: JsonObject | undefined): OpenAction =>
  input === undefined || action.tool_call === undefined ? action : { ...action, tool_call: { ...action.tool_call, input } };

type Decision = {
  readonly outcome: 'allowed' | 'denied';
  /** More than yes or no is said: whoever was faster did not say it. */
  readonly isMore: boolean;
  /** The arguments that the tool gets instead. */
  readonly input?: JsonObject | undefined;
  readonly send: (action: OpenAction) => Promise<CommandReceipt>;
};

/** The same decision as the one that was taken is no fault; another one is. */
const reportClosed = async (context: CommandContext, action: OpenAction, isSame: boolean): Promise<ExitCode> => {
  if (!isSame) return refuseClosed(context, action);
  const { json, print, printJson } = context;
  const { request_id, session_id, turn_id, status, resolved_by } = action;
  if (json) printJson({ request_id, session_id, turn_id, resolution: status, ...(resolved_by === undefined ? {} : { resolved_by }) });
  else print(await closedText(context, action));
  return exitCodes.completed;
};

/** A closed one is sent, too: one's own earlier answer is known to the server by its key, and is given again. */
const decide = async (context: CommandContext, ref: string | undefined, { outcome, isMore, input, send }: Decision): Promise<ExitCode> => {
  const action = await confirmationOf(context, ref);
  try {
    const receipt = await send(action);
    return action.status === 'open'
      ? reportAnswer(context, outcomeWord(action, outcome), withInput(action, input), receipt)
      : reportClosed(context, action, true);
  } catch (error) {
    const closed = closedMeanwhile(action, error);
    if (!closed) throw error;
    return reportClosed(context, closed, !isMore && outcomeOf(closed) === outcome);
  }
};

export const approve = async (context: CommandContext, ref: string | undefined, options: ApproveOptions): Promise<ExitCode> => {
  const input = options.input === undefined ? undefined : readInput(options.input);
  const { reason } = options;
  const how = { ...(input ? { input } : {}), ...(options.remember ? { remember: true } : {}) };
  const isMore = Object.keys(how).length > 0;
  const send = (action: OpenAction): Promise<CommandReceipt> => {
    const { actions } = context.client;
    if (action.kind === 'confirmation') return actions.confirm(action, reason ? { ...how, reason } : how);
    if (isMore) throw new UsageError(`${action.request_id} is an approval: it takes --reason, but neither --input nor --remember.`);
    return actions.approve(action, reason);
  };
  return decide(context, ref, { outcome: 'allowed', isMore, input, send });
};

export const deny = async (context: CommandContext, ref: string | undefined, options: DenyOptions): Promise<ExitCode> =>
  decide(context, ref, {
    outcome: 'denied',
    isMore: false,
    send: (action) =>
      action.kind === 'approval' ? context.client.actions.reject(action, options.reason) : context.client.actions.deny(action, options.reason),
  });
