/**
 * One event of each type about turn `a`, for tables. Typed so that a new event type does not compile without a sample.
 */
import type { EventData, EventType, LoggedEvent } from '../session/events.ts';
import { stepId, type TurnId } from '../session/ids.ts';
import { call, turn } from './commands.ts';

type Samples = { readonly [Type in EventType]: EventData<Type> };

/** About the live turn's first run, its second item (the model's), and the call `c1` with its action. */
export const samplesOf = (turn_id: TurnId): Samples => {
  const name = turn_id.slice('turn_'.length);
  const inRun = { turn_id, run_id: `run_${name}_1` };
  const inModelCall = { ...inRun, item_id: `item_${name}_2`, model_call_id: `call_${name}_1` };
  const inTool = { turn_id, execution_id: turn_id, tool_call_id: 'c1' };
  const command = { turn_id, command_id: 'cmd_1', kind: 'cancel' } as const;
  const child = { child_session_id: `ses_${name}-1`, child_turn_id: `turn_${name}-1` } as const;
  const request_id = `act_${name}_1`;
  const tool_call = { id: 'c1', name: 'tool_c1', input: {} };
  const item = { id: inModelCall.item_id, type: 'message', role: 'assistant', content: [], status: 'completed' } as const;
  return {
    'session.status_created': {},
    'session.status_running': {},
    'session.status_requires_action': {},
    'session.status_idle': {},
    'session.status_archived': {},
    'session.status_terminated': {},
    'turn.accepted': { turn_id, n: 1, preview: 'do a' },
    'turn.queued': { turn_id, reason: 'resumed', queue_position: 0 },
    'turn.running': inRun,
    'turn.requires_action': { turn_id, request_ids: [request_id] },
    'turn.interrupted': { turn_id, reason: 'paused', error_code: 'paused' },
    'turn.cancel_requested': { turn_id },
    'turn.completed': { turn_id, output_text: 'hi' },
    'turn.partial_succeeded': { turn_id, output_text: 'hi' },
    'turn.failed': { turn_id, error_code: 'internal_error', error_message: 'broken', retryable: false },
    'turn.cancelled': { turn_id, unverified_calls: [] },
    'turn.timed_out': { turn_id, error_code: 'timed_out', unverified_calls: [] },
    'run.started': { ...inRun, n: 1 },
    'run.ended': { ...inRun, status: 'lost' },
    'item.started': { ...inModelCall, item: { ...item, status: 'in_progress' } },
    'item.delta': { ...inModelCall, position: 0, content: [{ type: 'text', text: 'h' }] },
    'item.completed': { ...inModelCall, item },
    'model.completed': { ...inModelCall, model: 'demo:test', status: 'failed' },
    'usage.recorded': { ...inModelCall, model: 'demo:test', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
    'tool.requested': {
      ...inModelCall,
      ...inTool,
      name: 'tool_c9',
      tool_call_id: 'c9',
      input: {},
      executor: 'server',
      replay_safe: call('c9').replaySafe,
      asks: false,
    },
    'tool.dispatched': { ...inTool, run_id: inRun.run_id, name: 'tool_c1', input: {} },
    'tool.delta': { ...inTool, run_id: inRun.run_id, output: [] },
    'tool.completed': {
      ...inTool,
      name: 'tool_c1',
      status: 'success',
      result: { type: 'tool_result', id: 'c1', name: 'tool_c1', output: [], state: 'success' },
    },
    'required_action.created': { turn_id, request_id: `act_${name}_9`, kind: 'confirmation', version: 1, tool_call, answer_schema: {}, approver: 'owner' },
    'required_action.accepted': { turn_id, request_id, command_id: 'cmd_1', answered_by: 'user:ann' },
    'required_action.resolved': { turn_id, request_id, kind: 'confirmation', resolution: 'answered', tool_call_id: 'c1', remembered_tool: 'tool_c1' },
    'required_action.rejected': { turn_id, request_id, command_id: 'cmd_1', reason: 'gone', pending: true },
    'input.accepted': { turn_id, input_id: 'inp_1', kind: 'steer', command_id: 'cmd_1', input: [{ role: 'user', content: [{ type: 'text', text: 'mind' }] }] },
    'input.applied': { ...inRun, input_id: 'inp_9', kind: 'steer', item_ids: [inModelCall.item_id] },
    'input.rejected': { turn_id, input_id: 'inp_9', kind: 'steer', reason: 'cancelled' },
    'command.accepted': command,
    'command.completed': command,
    'command.failed': { ...command, error_code: 'turn_closed' },
    'artifact.published': { turn_id, artifact_id: `art_${name}_1`, name: 'report.txt', file_id: 'file_1', size: 3 },
    'artifact.deleted': { turn_id, artifact_id: `art_${name}_1` },
    'context.compacted': { ...inModelCall, replaced_items: 2 },
    'session.context_initialized': { reason: 'try again', messages: 2 },
    'session.restored': { checkpoint_id: `ckpt_${name}_1`, from_turn_id: turn_id, reason: 'try again' },
    'subagent.started': { turn_id, ...child, name: 'helper', agent_id: 'agt_1', path: 'helper:1' },
    'subagent.updated': { turn_id, ...child, status: 'requires_action' },
    'subagent.completed': { turn_id, ...child, status: 'completed' },
    'outcome.judging': { turn_id, child_session_id: child.child_session_id, output_text: 'found' },
    'outcome.checked': { turn_id, try: 1, status: 'not_satisfied', reasons: ['too short'] },
    'step.updated': { turn_id, step_id: stepId(turn_id, 'look'), key: 'look', type: 'agent', attempt: 1, status: 'running' },
    'step.failed': { turn_id, step_id: stepId(turn_id, 'look'), key: 'look', attempt: 1, status: 'failed', error_code: 'step_failed' },
    'session.parent_told': { news: 1 },
    'budget.exceeded': { turn_id, limit: 'max_model_calls' },
    'budget.warning': { limit: 'max_model_calls', percent: 50, used: 1, max: 2 },
    'budget.changed': { max_model_calls: 2, passed: {} },
    'session.mode_changed': { permission_mode: 'ask' },
    'session.error': { error_code: 'internal_error', error_message: 'broken' },
  };
};

export const eventTypes = Object.keys(samplesOf(turn('a'))) as readonly EventType[];

export const sample = (type: EventType, turnId: TurnId = turn('a'), at = 5_000): LoggedEvent => ({ type, data: samplesOf(turnId)[type], at }) as LoggedEvent;
