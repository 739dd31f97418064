/**
 * Real sessions for tests of a store: core decides, this carries the decision to the store as the application does.
 *
 * `app/execute.ts` is the writer of the product; this one is kept apart so that a store can be tested alone.
 */
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import type { Command } from '@turnkeeper/core/session/commands';
import { decide } from '@turnkeeper/core/session/decide';
import type { Decision } from '@turnkeeper/core/session/decision';
import { isDelta, type LoggedEvent } from '@turnkeeper/core/session/events';
import { dueAt } from '@turnkeeper/core/session/pending-work';
import { emptyState, type SessionState } from '@turnkeeper/core/session/state';
import { applyToResource, type Body, type ResourceRef, touched } from '@turnkeeper/core/view/resources';
import type { EventWrite, Guard, Head, ResourceWrite, SessionStore, Write, WriteResult } from '../../ports/session-store.ts';
import { createdSession, event } from './samples.ts';

type Decided = Extract<Decision, { ok: true }>;

const turnNumber = (state: SessionState, id: unknown): number =>
  [...state.queue, ...(state.live ? [state.live] : []), ...(state.last ? [state.last] : [])].find((turn) => turn.id === id)?.n ?? 0;

const eventWrites = (before: SessionState, decision: Decided): EventWrite[] =>
  decision.events.map(({ type, at, data }) => {
    const id = 'turn_id' in data ? data.turn_id : undefined;
    return { turn: turnNumber(decision.state, id) || turnNumber(before, id), type, at, data: JSON.stringify(data) };
  });

const touches = (entry: LoggedEvent, ref: ResourceRef): boolean => touched(entry).some(({ kind, id }) => kind === ref.kind && id === ref.id);

/** The body as of the head: what is stored, and the deltas since. */
const bodyNow = async (store: SessionStore, head: Head, ref: ResourceRef): Promise<Body | undefined> => {
  const row = await store.resource(head.sid, ref.id);
  if (!row) return undefined;
  const tail = await store.events({ sid: head.sid, after: row.baseSeq, upto: head.seq, limit: 1_000_000 });
  const deltas = tail.filter(({ type }) => isDelta(type)).map((delta) => loggedEvent(delta.type, delta.at, JSON.parse(delta.data)));
  return deltas
    .filter((delta) => touches(delta, ref))
    .reduce<Body | undefined>((body, delta) => applyToResource(ref.kind, body, delta), JSON.parse(row.body) as Body);
};

const resourceWrites = async (store: SessionStore, head: Head, events: readonly LoggedEvent[]): Promise<ResourceWrite[]> => {
  const refs = new Map(events.flatMap((entry) => (isDelta(entry.type) ? [] : touched(entry).map((ref) => [`${ref.kind} ${ref.id}`, ref] as const))));
  const writes: ResourceWrite[] = [];
  for (const ref of refs.values()) {
    const own = events.flatMap((entry, index) => (touches(entry, ref) ? [index] : []));
    const body = own.reduce<Body | undefined>(
      (before, index) => {
        const entry = events[index];
        return entry ? applyToResource(ref.kind, before, entry) : before;
      },
      await bodyNow(store, head, ref),
    );
    if (body !== undefined) writes.push({ ...ref, first: own[0] ?? 0, last: own.at(-1) ?? 0, base: events.length - 1, body: JSON.stringify(body) });
  }
  return writes;
};

/** A session with an empty state, held by `node`, so that both kinds of write can be made. */
export const coreSession = async (store: SessionStore, node: string): Promise<Head> => {
  const made = await createdSession(store, {
    write: { events: [event('session.status_created')], state: { body: JSON.stringify(emptyState), due: null }, hold: { kind: 'claim', node } },
  });
  return made.head;
};

/** The write that a command makes of a session as loaded, or undefined when core refuses it. */
export const writeOf = async (store: SessionStore, sid: number, wish: Command, as: Guard['kind']): Promise<Write | undefined> => {
  const loaded = await store.loadBySid(sid);
  if (!loaded) throw new Error(`session ${sid} is not there`);
  const { head } = loaded;
  const state = JSON.parse(loaded.state) as SessionState;
  const decision = decide(state, wish);
  if (!decision.ok) return undefined;
  const deltasOnly = decision.events.every((entry) => isDelta(entry.type));
  const guard: Guard =
    as === 'command'
      ? { kind: 'command', stateSeq: head.stateSeq }
      : { kind: 'run', fence: head.fence, wn: head.wn, ...(deltasOnly ? {} : { stateSeq: head.stateSeq }) };
  return {
    sid,
    guard,
    events: eventWrites(state, decision),
    ...(deltasOnly ? {} : { state: { body: JSON.stringify(decision.state), due: dueAt(decision.state) } }),
    resources: await resourceWrites(store, head, decision.events),
    context: decision.context.map(({ at, entry }) => ({ at, body: JSON.stringify(entry) })),
  };
};

/** Decides a command on the stored session and writes it; 'refused' when core says no. */
export const carryOut = async (store: SessionStore, sid: number, wish: Command, as: Guard['kind']): Promise<WriteResult | 'refused'> => {
  const write = await writeOf(store, sid, wish, as);
  return write ? store.write(write) : 'refused';
};
