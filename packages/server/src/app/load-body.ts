/** Reads a resource's accumulated body, with the deltas that the stored body does not hold yet. */

import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { applyToResource, type Body, type ResourceRef, touched } from '@turnkeeper/core/view/resources';
import type { ResourceRow, SessionStore } from '../ports/session-store.ts';

/** The body of a row with the deltas among `deltas` that belong to it and are newer. */
export const withDeltas = (row: ResourceRow, deltas: readonly LogRow[]): Body => {
  let body = JSON.parse(row.body) as Body;
  for (const delta of deltas) {
    if (delta.seq <= row.baseSeq) continue;
    const event = loggedEvent(delta.type, delta.at, JSON.parse(delta.data));
    if (touched(event).some((ref) => ref.id === row.id)) body = applyToResource(row.kind, body, event) ?? body;
  }
  return body;
};

export const loadBody = async (store: SessionStore, sid: number, ref: ResourceRef): Promise<Body | undefined> => {
  const page = await store.resources(sid, [{ kind: ref.kind, idPrefix: ref.id, limit: 200 }]);
  const row = page?.resources[0]?.find((entry) => entry.id === ref.id);
  return page && row ? withDeltas(row, page.deltas) : undefined;
};
