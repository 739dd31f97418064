/**
 * Deciding: what a command makes of a session.
 *
 * Owns: the dispatch from command to rule. The rules stand in `decide/`: one file for what people ask, one for
 * how turns start and end, one for the steps of a run, one for calls while they run, one for required actions, one for inputs, one for the queue's order, one for
 * the context, one for its compaction, one for budgets.
 *
 * D1 Pure and total: the same state and command give the same decision; what is not allowed is a refusal, a value.
 */
import { refuse } from '../protocol/errors.ts';
import type { Command } from './commands.ts';
import { defaultRules, type SessionRules } from './commands.ts';
import { decideAnswer, decideExpire } from './decide/actions.ts';
import { decideDeleteArtifact, decidePublishArtifact } from './decide/artifacts.ts';
import { decideExceedBudget, decideNoteBudget, decideWarnBudget } from './decide/budget.ts';
import { decideChildMade, decideChildReport, decideChildResumed, decideParentTold } from './decide/children.ts';
import { decideArchive, decideCancel, decideCreate, decideDelete, decideResume, decideSubmit, decideUnarchive } from './decide/client.ts';
import { decideCompact } from './decide/compaction.ts';
import { decideInitializeContext, decideRestoreContext } from './decide/context.ts';
import { decideAdvanceFlow, decidePause, decideWakeFlow } from './decide/flow.ts';
import { decideApplyInputs, decideInject, decideSteer } from './decide/inputs.ts';
import { decideSetMode } from './decide/mode.ts';
import { decideReorder } from './decide/queue.ts';
import { decideAskForm, decideRejectAnswer, decideTakeBackForm, decideToolsLost } from './decide/running-calls.ts';
import { decideEndRun, decideFail, decideRestart, decideStart, decideStopped } from './decide/runs.ts';
import {
  decideConclude,
  decideDispatch,
  decideItemDelta,
  decideModelDone,
  decideModelFailed,
  decideOpenItem,
  decideToolDelta,
  decideToolDone,
} from './decide/steps.ts';
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
    case 'steer':
      return decideSteer(state, command);
    case 'pause':
      return decidePause(state, command);
    case 'inject':
      return decideInject(state, command);
    case 'reorder':
      return decideReorder(state, command);
    case 'answer':
      return decideAnswer(state, command);
    case 'publish_artifact':
      return decidePublishArtifact(state, command);
    case 'delete_artifact':
      return decideDeleteArtifact(state, command);
    case 'restore_context':
      return decideRestoreContext(state, command);
    case 'initialize_context':
      return decideInitializeContext(state, command);
    case 'archive':
      return decideArchive(state, command);
    case 'unarchive':
      return decideUnarchive(state, command);
    case 'delete':
      return decideDelete(state, command);
    case 'warn_budget':
      return decideWarnBudget(state, command);
    case 'note_budget':
      return decideNoteBudget(state, command);
    case 'set_mode':
      return decideSetMode(state, command);
    case 'exceed_budget':
      return decideExceedBudget(state, command);
    case 'start':
      return decideStart(state, command);
    case 'restart':
      return decideRestart(state, command);
    case 'apply_inputs':
      return decideApplyInputs(state, command);
    case 'open_item':
      return decideOpenItem(state, command);
    case 'item_delta':
      return decideItemDelta(state, command);
    case 'model_done':
      return decideModelDone(state, command, rules);
    case 'model_failed':
      return decideModelFailed(state, command, rules);
    case 'compact':
      return decideCompact(state, command);
    case 'dispatch':
      return decideDispatch(state, command);
    case 'tool_delta':
      return decideToolDelta(state, command);
    case 'tool_done':
      return decideToolDone(state, command);
    case 'ask_form':
      return decideAskForm(state, command);
    case 'take_back_form':
      return decideTakeBackForm(state, command);
    case 'reject_answer':
      return decideRejectAnswer(state, command);
    case 'tools_lost':
      return decideToolsLost(state, command);
    case 'stopped':
      return decideStopped(state, command);
    case 'fail':
      return decideFail(state, command);
    case 'end_run':
      return decideEndRun(state, command);
    case 'expire':
      return decideExpire(state, command);
    case 'conclude':
      return decideConclude(state, command);
    case 'advance_flow':
      return decideAdvanceFlow(state, command);
    case 'wake_flow':
      return decideWakeFlow(state, command);
    case 'child_made':
      return decideChildMade(state, command);
    case 'child_report':
      return decideChildReport(state, command);
    case 'child_resumed':
      return decideChildResumed(state, command);
    case 'parent_told':
      return decideParentTold(state, command);
  }
};
