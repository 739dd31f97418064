/**
 * The snapshot of a team's or a workflow's session: by id, as in a turn's snapshot, what an agent's session has as lists.
 *
 * The same view in both forms: a client turns the maps into the lists that the reducer works on, in the order of first appearance,
 * which is the order of the members. Whole events are not in it: what stands for them has the times of the resource, and the
 * snapshot's own cursor.
 */
import type { Body } from './resources.ts';
import { type Resource, resourceEnvelope, resourceId, type SessionView, snapshotKinds } from './session-view.ts';

type Lists = Omit<SessionView, 'session' | 'as_of' | 'usage'>;
type DataOf<List> = List extends readonly Resource<infer Data>[] ? Data : never;
export type ViewMaps = { readonly [Member in keyof Lists]: { readonly [id: string]: DataOf<Lists[Member]> } };
export type MappedView = Omit<SessionView, keyof Lists> & ViewMaps;

/** Of a view or a snapshot; what else it has stays. */
export const mapsOf = <View extends SessionView>(view: View): Omit<View, keyof Lists> & ViewMaps => ({
  ...view,
  ...(Object.fromEntries(
    snapshotKinds.map(([kind, member]) => [
      member,
      Object.fromEntries((view[member] as readonly Resource<Body>[]).map(({ data }) => [resourceId(kind, data), data])),
    ]),
  ) as unknown as ViewMaps),
});

/** The other way; a view that is not by id is given back as it is. */
export const listsOf = <View extends SessionView>(view: View | (Omit<View, keyof Lists> & ViewMaps)): View => {
  if (view.items === undefined || Array.isArray(view.items)) return view as View;
  const maps = view as unknown as MappedView;
  const lists = snapshotKinds.map(([kind, member]) => [
    member,
    Object.entries((maps[member] ?? {}) as { readonly [id: string]: Body }).map(([id, data]) =>
      resourceEnvelope(kind, { id, session_id: maps.session.id, created_at: lastTime(data), cursor: maps.as_of }, data),
    ),
  ]);
  return { ...view, ...Object.fromEntries(lists) } as unknown as View;
};

const lastTime = (body: Body): number => {
  const { ended_at, resolved_at, started_at, created_at } = body as { readonly [member: string]: unknown };
  for (const at of [ended_at, resolved_at, started_at, created_at]) if (typeof at === 'number') return at;
  return 0;
};
