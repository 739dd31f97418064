/**
 * A session as a client shows it: a snapshot, moved on event by event.
 *
 * Owns: how a snapshot and the events after its `as_of` become the current view. The server builds snapshots from
 * stored folds of the same reducer (resources.ts), so both are always equal.
 *
 * V4 snapshot(as_of) + the events after it = the view of someone who watched from the start.
 * V5 An event at or before `as_of` is never applied twice: streams deliver in order, and the cursor says where.
 */
import type { Envelope } from '../protocol/envelope.ts';
import { loggedEvent } from '../protocol/envelope.ts';
import type { LoggedEvent } from '../session/events.ts';
import type { ActionBody, CommandBody } from './action.ts';
import type { ArtifactBody } from './artifact.ts';
import type { InputBody } from './input.ts';
import type { ItemBody } from './item.ts';
import { applyToResource, type Body, type ResourceKind, touched } from './resources.ts';
import type { StepBody } from './step.ts';
import type { SubagentBody } from './subagent.ts';
import type { ToolBody } from './tool.ts';
import type { RunBody, TurnBody } from './turn.ts';
import { noUsage, type UsageBody } from './usage.ts';

/** An accumulated resource in an envelope: `id`, `created_at` and `cursor` are those of the last event that touched it. */
export type Resource<Data> = Envelope<Data>;

/** The session's own members; those that events do not carry are current values. */
export type SessionInfo = { readonly id: string; readonly status: string; readonly archived: boolean; readonly [member: string]: unknown };

/** `GET {S}/snapshot` of an agent session. Lists are in the order of first appearance. */
export type SessionView = {
  readonly session: SessionInfo;
  readonly as_of: string;
  readonly items: readonly Resource<ItemBody>[];
  readonly turns: readonly Resource<TurnBody>[];
  readonly runs: readonly Resource<RunBody>[];
  readonly tools: readonly Resource<ToolBody>[];
  /** Open ones only. */
  readonly required_actions: readonly Resource<ActionBody>[];
  readonly action_commands: readonly Resource<CommandBody>[];
  /** Used and rejected ones too. */
  readonly inputs: readonly Resource<InputBody>[];
  /** Those that were not deleted. */
  readonly artifacts: readonly Resource<ArtifactBody>[];
  /** Child sessions, open or ended. */
  readonly subagents: readonly Resource<SubagentBody>[];
  /** Of a team's or a workflow's turns. */
  readonly steps: readonly Resource<StepBody>[];
  readonly usage: UsageBody;
};

const listOf = {
  turn: 'turns',
  run: 'runs',
  item: 'items',
  tool: 'tools',
  required_action: 'required_actions',
  command: 'action_commands',
  input: 'inputs',
  artifact: 'artifacts',
  subagent: 'subagents',
  step: 'steps',
} as const;
type ListedKind = keyof typeof listOf;

/** The member of a snapshot that lists a kind of resource. */
export const snapshotMember = (kind: ListedKind): (typeof listOf)[ListedKind] => listOf[kind];

/** Every kind that a snapshot lists, with the member that lists it. */
export const snapshotKinds = Object.entries(listOf) as readonly (readonly [ListedKind, (typeof listOf)[ListedKind]])[];

/** What a resource is known by. */
export const resourceId = (kind: ListedKind, body: Body): string => {
  const data = body as Record<string, unknown>;
  switch (kind) {
    case 'turn':
      return String(data['turn_id']);
    case 'run':
      return String(data['run_id']);
    case 'item':
      return String(data['item_id']);
    case 'tool':
      return `${String(data['turn_id'])}:${String(data['tool_call_id'])}`;
    case 'required_action':
      return String(data['request_id']);
    case 'command':
      return String(data['command_id']);
    case 'artifact':
      return String(data['artifact_id']);
    case 'input':
      return String(data['input_id']);
    case 'subagent':
      return String(data['child_session_id']);
    case 'step':
      return String(data['step_id']);
  }
};

/** A resource as it stands in a snapshot. */
export const resourceEnvelope = <Data>(
  kind: ResourceKind,
  event: Pick<Envelope, 'id' | 'session_id' | 'created_at' | 'cursor'>,
  data: Data,
): Resource<Data> => {
  const turn = (data as { readonly turn_id?: string }).turn_id;
  return {
    schema_version: 1,
    id: event.id,
    type: `${kind}.updated`,
    session_id: event.session_id,
    ...(turn === undefined ? {} : { turn_id: turn }),
    created_at: event.created_at,
    cursor: event.cursor,
    data,
  };
};

/** Resources that a snapshot shows only while they are open. */
export const isShown = (kind: ResourceKind, body: Body): boolean =>
  (kind !== 'required_action' || (body as ActionBody).status === 'open') && (kind !== 'artifact' || (body as ArtifactBody).status === 'published');

export const emptyView = (session: SessionInfo, asOf: string): SessionView => ({
  session,
  as_of: asOf,
  items: [],
  turns: [],
  runs: [],
  tools: [],
  required_actions: [],
  action_commands: [],
  inputs: [],
  artifacts: [],
  subagents: [],
  steps: [],
  usage: noUsage,
});

const putInto = (view: SessionView, kind: ListedKind, id: string, envelope: Envelope, event: LoggedEvent): SessionView => {
  const member = listOf[kind];
  const list = view[member] as readonly Resource<Body>[];
  // What changes is nearly always among the newest: search from the end.
  const at = list.findLastIndex((entry) => resourceId(kind, entry.data) === id);
  const body = applyToResource(kind, list[at]?.data, event);
  if (body === undefined) return view;
  if (!isShown(kind, body)) return at === -1 ? view : { ...view, [member]: list.toSpliced(at, 1) };
  const next = resourceEnvelope(kind, envelope, body);
  return { ...view, [member]: at === -1 ? [...list, next] : list.with(at, next) };
};

const sessionAfter = (session: SessionInfo, event: LoggedEvent): SessionInfo => {
  switch (event.type) {
    case 'session.status_idle':
    case 'session.status_running':
    case 'session.status_requires_action':
      return { ...session, status: event.type.slice('session.status_'.length), archived: event.data['unarchived'] === true ? false : session.archived };
    case 'session.status_archived':
      return { ...session, archived: true };
    default:
      return session;
  }
};

/** Moves the view on by one event. Unknown types only move the cursor. */
export const applyEvent = (view: SessionView, envelope: Envelope): SessionView => {
  const event = loggedEvent(envelope.type, envelope.created_at, envelope.data);
  let next: SessionView = { ...view, as_of: envelope.cursor, session: sessionAfter(view.session, event) };
  for (const { kind, id } of touched(event)) {
    if (kind === 'usage') next = { ...next, usage: (applyToResource('usage', next.usage, event) as UsageBody | undefined) ?? next.usage };
    else next = putInto(next, kind, id, envelope, event);
  }
  return next;
};
