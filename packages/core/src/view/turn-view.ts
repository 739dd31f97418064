/**
 * One turn as a client shows it: maps by id (`GET {T}/snapshot`), moved on by the turn's own stream.
 */
import type { Envelope } from '../protocol/envelope.ts';
import { loggedEvent } from '../protocol/envelope.ts';
import type { ActionBody } from './action.ts';
import type { ArtifactBody } from './artifact.ts';
import type { ItemBody } from './item.ts';
import { applyToResource, type Body, touched } from './resources.ts';
import { isShown } from './session-view.ts';
import type { StepBody } from './step.ts';
import type { ToolBody } from './tool.ts';
import type { TurnBody } from './turn.ts';
import { noUsage, type UsageBody } from './usage.ts';

export type TurnView = {
  readonly as_of: string;
  readonly turn: TurnBody | null;
  readonly items: { readonly [id: string]: ItemBody };
  /** By `execution_id:tool_call_id`. */
  readonly tools: { readonly [id: string]: ToolBody };
  readonly required_actions: { readonly [id: string]: ActionBody };
  readonly steps: { readonly [id: string]: StepBody };
  readonly artifacts: { readonly [id: string]: ArtifactBody };
  readonly usage: UsageBody;
};

export const emptyTurnView = (asOf: string): TurnView => ({
  as_of: asOf,
  turn: null,
  items: {},
  tools: {},
  required_actions: {},
  steps: {},
  artifacts: {},
  usage: noUsage,
});

const mapOf = { item: 'items', tool: 'tools', required_action: 'required_actions', artifact: 'artifacts', step: 'steps' } as const;

const put = (view: TurnView, kind: keyof typeof mapOf, id: string, body: Body | undefined): TurnView => {
  if (body === undefined) return view;
  const member = mapOf[kind];
  const { [id]: _, ...others } = view[member];
  return { ...view, [member]: isShown(kind, body) ? { ...view[member], [id]: body } : others };
};

/** Moves the view on by one event of the turn's stream. */
export const applyTurnEvent = (view: TurnView, envelope: Envelope): TurnView => {
  const event = loggedEvent(envelope.type, envelope.created_at, envelope.data);
  let next: TurnView = { ...view, as_of: envelope.cursor };
  for (const { kind, id } of touched(event)) {
    switch (kind) {
      case 'turn': {
        const turn = applyToResource('turn', next.turn ?? undefined, event) as TurnBody | undefined;
        next = { ...next, turn: turn ?? null, usage: turn?.usage ?? next.usage };
        break;
      }
      case 'item':
      case 'tool':
      case 'required_action':
      case 'artifact':
      case 'step':
        next = put(next, kind, id, applyToResource(kind, next[mapOf[kind]][id], event));
        break;
      case 'run':
      case 'command':
      case 'input':
      case 'subagent':
      case 'usage':
        break;
    }
  }
  return next;
};
