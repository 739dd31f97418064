/**
 * Deciding: what a command makes of a session.
 *
 * Owns: the dispatch from command to rule. The rules stand in `decide/`: one file for what people ask, one for
 * how turns start and end, one for the steps of a run, one for required actions.
 *
 * D1 Pure and total: the same state and command give the same decision; what is not allowed is a refusal, a value.
 */
import { refuse } from '../protocol/errors.ts';
import type { Command } from './commands.ts';
import { defaultRules, type SessionRules } from './commands.ts';
import { decideAnswer, decideExpire } from './decide/actions.ts';
import { decideArchive, decideCancel, decideCreate, decideDelete, decideResume, decideSubmit, decideUnarchive } from './decide/client.ts';
import { decideEndRun, decideFail, decideRestart, decideStart, decideStopped } from './decide/runs.ts';
import { decideDispatch, decideItemDelta, decideModelDone, decideModelFailed, decideOpenItem, decideToolDelta, decideToolDone } from './decide/steps.ts';
import type { Decision } from './decision.ts';
import type { SessionState } from './state.ts';

export const decide = (state: SessionState, command: Command, rules: SessionRules = defaultRules): Decision => {
  // A deleted session takes nothing any more: late writes are refused (semantics, section 10).
  if (state.terminated) return refuse('not_found', 'The session was deleted.');
  switch (command.type) {
    case 'create':
      return decideCreate(state, command);
    case 'submit':
      return decideSubmit(state, command, rules);
    case 'cancel':
      return decideCancel(state, command);
    case 'resume':
      return decideResume(state, command);
    case 'answer':
      return decideAnswer(state, command);
    case 'archive':
      return decideArchive(state, command);
    case 'unarchive':
      return decideUnarchive(state, command);
    case 'delete':
      return decideDelete(state, command);
    case 'start':
      return decideStart(state, command);
    case 'restart':
      return decideRestart(state, command);
    case 'open_item':
      return decideOpenItem(state, command);
    case 'item_delta':
      return decideItemDelta(state, command);
    case 'model_done':
      return decideModelDone(state, command, rules);
    case 'model_failed':
      return decideModelFailed(state, command, rules);
    case 'dispatch':
      return decideDispatch(state, command);
    case 'tool_delta':
      return decideToolDelta(state, command);
    case 'tool_done':
      return decideToolDone(state, command);
    case 'stopped':
      return decideStopped(state, command);
    case 'fail':
      return decideFail(state, command);
    case 'end_run':
      return decideEndRun(state, command);
    case 'expire':
      return decideExpire(state, command);
  }
};
