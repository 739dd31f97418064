/**
 * The accumulated body of a stored resource, with the deltas that it does not hold yet.
 *
 * A page's deltas are parsed once and sorted by what they append to, so that a page costs its rows plus its deltas.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import { applyToResource, type Body, type ResourceKind, type ResourceRef, touched } from '@turnkeeper/core/view/resources';
import type { ResourceRow, SessionStore } from '../ports/session-store.ts';

type Delta = { readonly seq: number; readonly event: LoggedEvent };
/** Deltas in order, by the resource that each appends to. */
export type Deltas = ReadonlyMap<string, readonly Delta[]>;

const placeOf = (kind: ResourceKind, id: string): string => `${kind} ${id}`;

export const deltasByResource = (rows: readonly LogRow[]): Deltas => {
  const deltas = new Map<string, Delta[]>();
  for (const { seq, type, at, data } of rows) {
    const event = loggedEvent(type, at, JSON.parse(data));
    for (const { kind, id } of touched(event)) {
      const place = placeOf(kind, id);
      const known = deltas.get(place);
      if (known) known.push({ seq, event });
      else deltas.set(place, [{ seq, event }]);
    }
  }
  return deltas;
};

/** A row's body with newer deltas, and the newest event that touched it. */
export const current = (row: ResourceRow, deltas: Deltas): { readonly body: Body; readonly seq: number; readonly at: number } => {
  const mine = (deltas.get(placeOf(row.kind, row.id)) ?? []).filter(({ seq }) => seq > row.baseSeq);
  const newest = mine.at(-1);
  const body = mine.reduce((before, { event }) => applyToResource(row.kind, before, event) ?? before, JSON.parse(row.body) as Body);
  return { body, seq: newest?.seq ?? row.lastSeq, at: newest?.event.at ?? row.lastAt };
};

export const loadBody = async (store: SessionStore, sid: number, ref: ResourceRef): Promise<Body | undefined> => {
  const page = await store.resources(sid, [{ kind: ref.kind, idPrefix: ref.id, limit: 200 }]);
  const row = page?.resources[0]?.find((entry) => entry.id === ref.id);
  return page && row ? current(row, deltasByResource(page.deltas)).body : undefined;
};
