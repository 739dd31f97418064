/**
 * A session in the order in which people read it: turn by turn, what was said, each tool call where it was made, each
 * open action beside what it asks about. Made from the view alone; entries point at the view's own objects, so that
 * what has not changed is the same object as before.
 */

import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { toolKey } from '@turnkeeper/core/view/resources';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { type CallProgress, progressOf } from './call-progress.ts';

export type MessageEntry = { readonly kind: 'message'; readonly key: string; readonly item: ItemBody; readonly at: number };
export type ToolEntry = {
  readonly kind: 'tool';
  readonly key: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Undefined while the model still writes the arguments, or when it never finished them. */
  readonly tool: ToolBody | undefined;
  /** The open action that this call waits for. */
  readonly action: ActionBody | undefined;
  /** The message that asks for it was cut off: it will not be run. */
  readonly abandoned: boolean;
  /** How far it is, where it runs and says so. */
  readonly progress?: CallProgress;
};
/** An open action that belongs to no call. */
export type ActionEntry = { readonly kind: 'action'; readonly key: string; readonly action: ActionBody };
export type TimelineEntry = MessageEntry | ToolEntry | ActionEntry;

export type TimelineTurn = {
  readonly turnId: string;
  /** Undefined when the turn itself is older than the snapshot reaches. */
  readonly turn: TurnBody | undefined;
  readonly entries: readonly TimelineEntry[];
};

type Lookup = { readonly tools: ReadonlyMap<string, ToolBody>; readonly actions: ReadonlyMap<string, ActionBody> };

const actionKey = (action: ActionBody): string | undefined => action.tool_call && toolKey({ turn_id: action.turn_id, tool_call_id: action.tool_call.id });

const callsIn = ({ item }: ItemBody) => item.content.filter((block) => block.type === 'tool_use');

const speaks = ({ item }: ItemBody, calls: readonly unknown[]): boolean =>
  item.role === 'user' || textOf(item.content) !== '' || (calls.length === 0 && item.status === 'in_progress');

/** The entry of an item that is a message and nothing else. */
export const messageOf = (item: ItemBody, at: number): MessageEntry | undefined => {
  const calls = callsIn(item);
  return calls.length === 0 && speaks(item, calls) ? { kind: 'message', key: item.item_id, item, at } : undefined;
};

const entriesOfItem = (item: ItemBody, at: number, { tools, actions }: Lookup): TimelineEntry[] => {
  const calls = callsIn(item);
  const message: TimelineEntry[] = speaks(item, calls) ? [{ kind: 'message', key: item.item_id, item, at }] : [];
  const cards = calls.map((call): TimelineEntry => {
    const key = toolKey({ turn_id: item.turn_id, tool_call_id: call.id });
    const tool = tools.get(key);
    const abandoned = tool === undefined && item.item.status === 'incomplete';
    const progress = progressOf(tool);
    const entry = { kind: 'tool', key, name: call.name, input: tool?.input ?? call.input, tool, action: actions.get(key), abandoned } as const;
    return progress ? { ...entry, progress } : entry;
  });
  return [...message, ...cards];
};

/** Whether people are asked something here: what waits for them is not at work, though its turn may run on (RN1). */
export const asksPeople = (entries: readonly TimelineEntry[]): boolean => entries.some((entry) => entry.kind !== 'message' && entry.action !== undefined);

/** Turns in the order of their acceptance, each with its entries. */
export const timelineOf = (view: SessionView): readonly TimelineTurn[] => {
  const tools = new Map(view.tools.map(({ data }) => [toolKey(data), data]));
  const actions = new Map(view.required_actions.flatMap(({ data }) => [[actionKey(data) ?? data.request_id, data] as const]));
  const turns = new Map<string, { turn: TurnBody | undefined; entries: TimelineEntry[]; shown: Set<string> }>();
  const place = (turnId: string) => {
    const known = turns.get(turnId);
    if (known) return known;
    const fresh = { turn: undefined, entries: [], shown: new Set<string>() };
    turns.set(turnId, fresh);
    return fresh;
  };
  // Items first where their turn is not in the snapshot: it is older than those that are.
  const listed = new Set(view.turns.map(({ data }) => data.turn_id));
  for (const { data } of view.items) if (!listed.has(data.turn_id)) place(data.turn_id);
  for (const { data } of view.turns) place(data.turn_id).turn = data;
  for (const { data, created_at } of view.items) {
    const { entries, shown } = place(data.turn_id);
    for (const entry of entriesOfItem(data, created_at, { tools, actions })) {
      entries.push(entry);
      shown.add(entry.key);
    }
  }
  for (const [key, action] of actions) {
    const { entries, shown } = place(action.turn_id);
    if (!shown.has(key)) entries.push({ kind: 'action', key: action.request_id, action });
  }
  return [...turns].map(([turnId, { turn, entries }]) => ({ turnId, turn, entries }));
};

/** The turn that runs or waits for people or its next run; undefined when the session is idle. */
export const liveTurn = (view: SessionView): TurnBody | undefined =>
  view.turns.find(({ data }) => data.status === 'running' || data.status === 'requires_action' || data.status === 'interrupted')?.data ??
  view.turns.find(({ data }) => data.status === 'queued')?.data;

/** Whether that turn waits for people: it stands still, or a call of it that runs has asked them (RN1). */
export const waitsForPeople = (view: SessionView, { turn_id, status }: TurnBody): boolean =>
  status === 'requires_action' || view.required_actions.some(({ data }) => data.turn_id === turn_id);
