/**
 * The timeline as rows of a list, of which only those are drawn that are looked at.
 *
 * A row is one message, one call, one open action, or the end of a turn; what waits in the queue and what is still on its
 * way to the server comes last.
 */
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { asksPeople, type TimelineEntry, type TimelineTurn } from '@turnkeeper/client/view/timeline';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { Resource } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { SendingMessage } from '@turnkeeper/react/outbox';
import { sameEntry } from './same-entry.ts';

export type EntryRow = {
  readonly kind: 'entry';
  readonly key: string;
  readonly turnId: string;
  readonly entry: TimelineEntry;
  /** It begins its turn. */
  readonly first: boolean;
  /** What was said to the running turn, if this message is that. */
  readonly steer: InputBody | undefined;
  /** Nothing will come of a call that is not known by now. */
  readonly settled: boolean;
};
/** Said to the turn, and not used yet, or never. */
export type SteerRow = { readonly kind: 'steer'; readonly key: string; readonly turnId: string; readonly input: InputBody };
export type EndRow = {
  readonly kind: 'end';
  readonly key: string;
  readonly turnId: string;
  readonly turn: TurnBody;
  /** Of a turn that does not run: while it does, its end shows none of them. */
  readonly entries: readonly TimelineEntry[];
  /** It runs, and nothing on the screen shows that. */
  readonly working: boolean;
  readonly isNewest: boolean;
  /** No turn of the session runs or waits. */
  readonly idle: boolean;
};
export type QueuedRow = {
  readonly kind: 'queued';
  readonly key: string;
  readonly turnId: string;
  readonly turn: TurnBody;
  readonly position: number;
  /** All that wait, in their order. */
  readonly queue: readonly string[];
  readonly live: TurnBody | undefined;
};
export type OutboxRow = { readonly kind: 'outbox'; readonly key: string; readonly turnId: undefined; readonly message: SendingMessage };
export type Row = EntryRow | SteerRow | EndRow | QueuedRow | OutboxRow;

const waits = ({ turn, entries }: TimelineTurn): boolean => turn?.status === 'queued' && turn.runs === 0 && entries.length === 0;

/**
 * In the order in which they will start, which people may change: whatever was queued last goes to the back, and several
 * that were moved together have places among themselves.
 */
const inQueue = (turns: RowsOf['turns']) => {
  const queuedAt = new Map(turns.map(({ data, created_at }) => [data.turn_id, created_at]));
  const at = ({ turnId }: TimelineTurn): number => queuedAt.get(turnId) ?? 0;
  const place = ({ turn }: TimelineTurn): number => turn?.queue_position ?? 0;
  return (a: TimelineTurn, b: TimelineTurn): number => at(a) - at(b) || place(a) - place(b) || (a.turn?.n ?? 0) - (b.turn?.n ?? 0);
};

type Inputs = { readonly byItem: ReadonlyMap<string, InputBody>; readonly unused: readonly InputBody[] };

const steersOf = (inputs: readonly { readonly data: InputBody }[]): Inputs => {
  const steers = inputs.flatMap(({ data }) => (data.kind === 'steer' ? [data] : []));
  return {
    byItem: new Map(steers.flatMap((input) => (input.item_ids ?? []).map((id) => [id, input] as const))),
    unused: steers.filter(({ status }) => status !== 'applied'),
  };
};

export type RowsOf = {
  readonly timeline: readonly TimelineTurn[];
  readonly turns: readonly Resource<TurnBody>[];
  readonly inputs: readonly { readonly data: InputBody }[];
  readonly outbox: readonly SendingMessage[];
};

/** Nothing moves on the screen though the turn runs. */
const isWorking = ({ status }: TurnBody, entries: readonly TimelineEntry[]): boolean => {
  if (status !== 'running' && status !== 'queued') return false;
  // A call that runs may wait for people meanwhile: that is no work.
  if (asksPeople(entries)) return false;
  const last = entries.at(-1);
  if (last?.kind === 'message' && last.item.item.role === 'assistant') return last.item.item.status !== 'in_progress';
  return !(last?.kind === 'tool' && last.tool?.status === 'running');
};

type Place = Pick<EndRow, 'isNewest' | 'idle'>;

const rowsOfTurn = ({ turnId, turn, entries }: TimelineTurn, { byItem, unused }: Inputs, place: Place): readonly Row[] => {
  const settled = turn === undefined || isSettled(turn.status);
  const said = entries.map((entry, at): Row => {
    const steer = entry.kind === 'message' ? byItem.get(entry.item.item_id) : undefined;
    return { kind: 'entry', key: entry.key, turnId, entry, first: at === 0, steer, settled };
  });
  const steers = unused.filter((input) => input.turn_id === turnId).map((input): Row => ({ kind: 'steer', key: input.input_id, turnId, input }));
  if (!turn) return [...said, ...steers];
  const rests = settled || turn.status === 'interrupted';
  return [...said, ...steers, { kind: 'end', key: `end:${turnId}`, turnId, turn, entries: rests ? entries : [], working: isWorking(turn, entries), ...place }];
};

type TurnRows = typeof rowsOfTurn;

const rowsWith = (ofTurn: TurnRows, steers: Inputs, { timeline, turns, outbox }: RowsOf): readonly Row[] => {
  const shown = timeline.filter((turn) => !waits(turn));
  const queued = timeline.filter(waits).sort(inQueue(turns));
  const live = timeline.find(({ turn }) => turn !== undefined && !isSettled(turn.status) && !queued.some(({ turnId }) => turnId === turn.turn_id))?.turn;
  const idle = live === undefined && queued.length === 0;
  const newest = shown.at(-1)?.turnId;
  const queue = queued.map(({ turnId }) => turnId);
  return [
    ...shown.flatMap((turn) => ofTurn(turn, steers, { isNewest: turn.turnId === newest, idle })),
    ...queued.flatMap(({ turnId, turn }, position): readonly Row[] =>
      turn ? [{ kind: 'queued', key: `queued:${turnId}`, turnId, turn, position, queue, live: live ?? queued[0]?.turn }] : [],
    ),
    ...outbox.map((message): Row => ({ kind: 'outbox', key: message.key, turnId: undefined, message })),
  ];
};

export const rowsOf = (parts: RowsOf): readonly Row[] => rowsWith(rowsOfTurn, steersOf(parts.inputs), parts);

/** It remembers the rows of each turn: while an answer streams only those of its own are made anew. */
export const createRows = (): typeof rowsOf => {
  const known = new WeakMap<TimelineTurn, { readonly steers: Inputs; readonly place: Place; readonly rows: readonly Row[] }>();
  let last: { readonly inputs: RowsOf['inputs']; readonly steers: Inputs } | undefined;
  const ofTurn: TurnRows = (turn, steers, place) => {
    const made = known.get(turn);
    if (made?.steers === steers && made.place.isNewest === place.isNewest && made.place.idle === place.idle) return made.rows;
    const rows = rowsOfTurn(turn, steers, place);
    known.set(turn, { steers, place, rows });
    return rows;
  };
  return (parts) => {
    if (last?.inputs !== parts.inputs) last = { inputs: parts.inputs, steers: steersOf(parts.inputs) };
    return rowsWith(ofTurn, last.steers, parts);
  };
};

const sameEntries = (a: readonly TimelineEntry[], b: readonly TimelineEntry[]): boolean =>
  a.length === b.length && a.every((entry, at) => sameEntry(entry, b[at] as TimelineEntry));

/** Whether two rows show the same: they point at the view's own objects, which are replaced when they change. */
export const sameRow = (a: Row, b: Row): boolean => {
  if (a === b) return true;
  if (a.key !== b.key) return false;
  switch (a.kind) {
    case 'entry':
      return b.kind === 'entry' && a.first === b.first && a.steer === b.steer && a.settled === b.settled && sameEntry(a.entry, b.entry);
    case 'steer':
      return b.kind === 'steer' && a.input === b.input;
    case 'end':
      return (
        b.kind === 'end' && a.turn === b.turn && a.isNewest === b.isNewest && a.idle === b.idle && a.working === b.working && sameEntries(a.entries, b.entries)
      );
    case 'queued':
      return b.kind === 'queued' && a.turn === b.turn && a.position === b.position && a.live === b.live && a.queue.join() === b.queue.join();
    case 'outbox':
      return b.kind === 'outbox' && a.message === b.message;
  }
};

const badEnds: readonly TurnBody['status'][] = ['failed', 'timed_out', 'interrupted', 'partial_succeeded'];

/** What somebody looks for: where it went wrong, or waits for people. */
const asksForEyes = (row: Row): boolean => {
  switch (row.kind) {
    case 'entry':
      if (row.entry.kind === 'message') return false;
      return row.entry.action !== undefined || (row.entry.kind === 'tool' && (row.entry.tool?.status === 'error' || row.entry.tool?.status === 'unknown'));
    case 'end':
      return badEnds.includes(row.turn.status);
    case 'outbox':
      return row.message.state.kind === 'failed';
    case 'steer':
    case 'queued':
      return false;
  }
};

/** The next such row below `from`; from the top again when there is none. */
export const nextForEyes = (rows: readonly Row[], from: number): number | undefined => {
  const after = rows.findIndex((row, at) => at > from && asksForEyes(row));
  const found = after === -1 ? rows.findIndex(asksForEyes) : after;
  return found === -1 ? undefined : found;
};
