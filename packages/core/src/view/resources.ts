/**
 * The public view, resource by resource: what each event makes of the turn, run, item, tool … that it touches.
 *
 * Owns: the accumulated form of every public resource. The server's stored resources, its snapshots, the client and
 * the console all use this one reducer.
 *
 * V1 A resource is the fold of the events that touch it, from its first one on.
 * V2 Deltas touch exactly one resource, and only append to it; `item.completed` replaces what they built.
 * V3 What an event touches can be told from the event alone, so that a writer knows what to load.
 */
import type { LoggedEvent } from '../session/events.ts';
import { type ActionBody, actionCreated, actionResolved, type CommandBody, commandUpdated } from './action.ts';
import { type ArtifactBody, artifactDeleted, artifactPublished } from './artifact.ts';
import { type InputBody, inputAccepted, inputApplied, inputRejected } from './input.ts';
import { type ItemBody, itemDelta, itemIncomplete, itemOpened } from './item.ts';
import { type StepBody, stepChanged } from './step.ts';
import { type SubagentBody, subagentCompleted, subagentStarted, subagentUpdated } from './subagent.ts';
import { type ToolBody, toolAllowed, toolCompleted, toolDelta, toolDispatched, toolRequested, toolStatus } from './tool.ts';
import { type RunBody, runEnded, runStarted, type TurnBody, turnAccepted, turnEvent } from './turn.ts';
import { addUsage, noUsage, type UsageBody } from './usage.ts';

export type Bodies = {
  turn: TurnBody;
  run: RunBody;
  item: ItemBody;
  tool: ToolBody;
  required_action: ActionBody;
  command: CommandBody;
  input: InputBody;
  artifact: ArtifactBody;
  subagent: SubagentBody;
  step: StepBody;
  usage: UsageBody;
};
export type ResourceKind = keyof Bodies;
export const resourceKinds: readonly ResourceKind[] = [
  'turn',
  'run',
  'item',
  'tool',
  'required_action',
  'command',
  'input',
  'artifact',
  'subagent',
  'step',
  'usage',
];
export type ResourceRef = { readonly kind: ResourceKind; readonly id: string };
export type Body = Bodies[ResourceKind];

/** A tool is known by its turn and its call's id. */
export const toolKey = (data: { readonly turn_id: string; readonly tool_call_id: string }): string => `${data.turn_id}:${data.tool_call_id}`;
const sessionUsageId = 'session';

const ref = (kind: ResourceKind, id: string): ResourceRef => ({ kind, id });

/** The resources that an event changes (V3). */
export const touched = (event: LoggedEvent): readonly ResourceRef[] => {
  switch (event.type) {
    case 'turn.accepted':
    case 'turn.queued':
    case 'turn.running':
    case 'turn.requires_action':
    case 'turn.interrupted':
    case 'turn.cancel_requested':
    case 'turn.completed':
    case 'turn.partial_succeeded':
    case 'turn.failed':
    case 'turn.cancelled':
    case 'turn.timed_out':
    case 'outcome.judging':
    case 'outcome.checked':
      return [ref('turn', event.data.turn_id)];
    case 'run.started':
      return [ref('run', event.data.run_id), ref('turn', event.data.turn_id)];
    case 'run.ended':
      return [
        ref('run', event.data.run_id),
        ...(event.data.item_id === undefined ? [] : [ref('item', event.data.item_id)]),
        ...(event.data.unknown_calls ?? []).map((id) => ref('tool', toolKey({ turn_id: event.data.turn_id, tool_call_id: id }))),
      ];
    case 'item.started':
    case 'item.delta':
    case 'item.completed':
      return [ref('item', event.data.item_id)];
    case 'model.completed':
      return [...(event.data.status === 'completed' ? [] : [ref('item', event.data.item_id)]), ref('turn', event.data.turn_id), ref('usage', sessionUsageId)];
    case 'usage.recorded':
      return [ref('turn', event.data.turn_id), ref('usage', sessionUsageId)];
    case 'tool.requested':
    case 'tool.dispatched':
    case 'tool.delta':
    case 'tool.completed':
      return [ref('tool', toolKey(event.data))];
    case 'required_action.created':
    case 'required_action.resolved':
      return [
        ref('required_action', event.data.request_id),
        // A child's action is about a call of the child.
        ...[
          event.type === 'required_action.created'
            ? event.data.child_session_id === undefined
              ? event.data.tool_call?.id
              : undefined
            : event.data.tool_call_id,
        ].flatMap((id) => (id === undefined ? [] : [ref('tool', toolKey({ turn_id: event.data.turn_id, tool_call_id: id }))])),
      ];
    case 'command.accepted':
    case 'command.completed':
    case 'command.failed':
      return [ref('command', event.data.command_id)];
    case 'input.accepted':
    case 'input.applied':
    case 'input.rejected':
      return [ref('input', event.data.input_id)];
    case 'artifact.published':
    case 'artifact.deleted':
      return [ref('artifact', event.data.artifact_id)];
    case 'subagent.started':
    case 'subagent.updated':
    case 'subagent.completed':
      return [ref('subagent', event.data.child_session_id)];
    case 'step.updated':
    case 'step.failed':
      return [ref('step', event.data.step_id)];
    case 'session.parent_told':
    case 'session.status_created':
    case 'session.status_running':
    case 'session.status_requires_action':
    case 'session.status_idle':
    case 'session.status_archived':
    case 'session.status_terminated':
    case 'required_action.accepted':
    case 'required_action.rejected':
    case 'context.compacted':
    case 'session.context_initialized':
    case 'session.restored':
    case 'budget.exceeded':
    case 'budget.warning':
    case 'budget.changed':
    case 'session.mode_changed':
    case 'session.error':
      return [];
  }
  // Written by a newer version: it touches nothing that this one knows.
  return [];
};

type Before<Kind extends ResourceKind> = Bodies[Kind] | undefined;

/** A resource after an event that touches it; `before` is undefined when this is its first. */
export const applyToResource = (kind: ResourceKind, before: Body | undefined, event: LoggedEvent): Body | undefined => {
  switch (kind) {
    case 'turn':
      return applyToTurn(before as Before<'turn'>, event);
    case 'run':
      return event.type === 'run.started'
        ? runStarted(event.data, event.at)
        : event.type === 'run.ended'
          ? runEnded(before as Before<'run'>, event.data, event.at)
          : before;
    case 'item':
      return applyToItem(before as Before<'item'>, event);
    case 'tool':
      return applyToTool(before as Before<'tool'>, event);
    case 'required_action':
      return event.type === 'required_action.created'
        ? actionCreated(event.data, event.at)
        : event.type === 'required_action.resolved'
          ? actionResolved(before as Before<'required_action'>, event.data, event.at)
          : before;
    case 'command':
      return event.type === 'command.accepted' || event.type === 'command.completed' || event.type === 'command.failed'
        ? commandUpdated(before as Before<'command'>, event, event.at)
        : before;
    case 'input':
      return applyToInput(before as Before<'input'>, event);
    case 'artifact':
      return event.type === 'artifact.published'
        ? artifactPublished(event.data, event.at)
        : event.type === 'artifact.deleted'
          ? artifactDeleted(before as Before<'artifact'>)
          : before;
    case 'subagent':
      return applyToSubagent(before as Before<'subagent'>, event);
    case 'step':
      return event.type === 'step.updated' || event.type === 'step.failed' ? stepChanged(before as Before<'step'>, event.data, event.at) : before;
    case 'usage':
      return event.type === 'usage.recorded' || event.type === 'model.completed' ? addUsage((before as Before<'usage'>) ?? noUsage, event) : before;
  }
};

const applyToTurn = (before: Before<'turn'>, event: LoggedEvent): TurnBody | undefined => {
  if (event.type === 'turn.accepted') return turnAccepted(event.data, event.at);
  return before ? turnEvent(before, event) : undefined;
};

const applyToItem = (before: Before<'item'>, event: LoggedEvent): ItemBody | undefined => {
  switch (event.type) {
    case 'item.started':
    case 'item.completed':
      return itemOpened(event.data);
    case 'item.delta':
      return before && itemDelta(before, event.data.content);
    case 'run.ended':
    case 'model.completed':
      return before && itemIncomplete(before);
    default:
      return before;
  }
};

const applyToInput = (before: Before<'input'>, event: LoggedEvent): InputBody | undefined => {
  switch (event.type) {
    case 'input.accepted':
      return inputAccepted(event.data, event.at);
    case 'input.applied':
      return before && inputApplied(before, event.data, event.at);
    case 'input.rejected':
      return before && inputRejected(before, event.data, event.at);
    default:
      return before;
  }
};

const applyToSubagent = (before: Before<'subagent'>, event: LoggedEvent): SubagentBody | undefined => {
  switch (event.type) {
    case 'subagent.started':
      return subagentStarted(event.data, event.at);
    case 'subagent.updated':
      return before && subagentUpdated(before, event.data);
    case 'subagent.completed':
      return before && subagentCompleted(before, event.data, event.at);
    default:
      return before;
  }
};

const applyToTool = (before: Before<'tool'>, event: LoggedEvent): ToolBody | undefined => {
  if (event.type === 'tool.requested') return toolRequested(event.data, event.at);
  if (!before) return undefined;
  switch (event.type) {
    case 'tool.dispatched':
      return toolDispatched(before, event.data, event.at);
    case 'tool.delta':
      return toolDelta(before, event.data.output);
    case 'tool.completed':
      return toolCompleted(before, event.data, event.at);
    case 'required_action.created':
      return event.data.kind === 'reconciliation' ? before : toolStatus(before, 'waiting');
    case 'required_action.resolved':
      // What it asked while it ran is closed: it goes on, unless its run has ended.
      if (event.data.while_running) return before.status === 'waiting' ? toolStatus(before, 'running') : before;
      return event.data.kind === 'confirmation' && event.data.resolution === 'answered' ? toolAllowed(before, event.data.input) : before;
    case 'run.ended':
      return toolStatus(before, 'unknown');
    default:
      return before;
  }
};
