/**
 * What is wrong with a workflow's draft: its shape, its graph (core/workflow), and what it names of the installation.
 *
 * DW1 All faults are told together, each with its place in the spec, also of a draft that is no spec: of what can be read of it (GV3).
 * DW2 What was published can be frozen: all that it names is there, it is not nested deeper than a session may be, and it names no more, with
 *     all that its workflows name, than a session is frozen with (FT2).
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { DraftFault } from '@turnkeeper/core/protocol/wire/workflow-requests';
import type { WorkflowNode, WorkflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import { roleAsked } from '@turnkeeper/core/session/standing';
import { judgeDraft } from '@turnkeeper/core/workflow/draft-faults';
import { unknownUsers } from './administration.ts';
import type { App } from './app.ts';
import { frozenTargets, type Named, namedBy, namedIn, nestedWorkflows, refOf } from './freeze-target.ts';

export type CheckedDraft = { readonly spec: WorkflowSpec | undefined; readonly faults: readonly DraftFault[] };

const fault = (pointer: string, code: string, detail: string): DraftFault => ({ pointer, code, severity: 'error', detail });

/** `spec`: the draft as it would be published; undefined where its shape is none. */
export const checkDraft = async (app: App, draft: JsonObject): Promise<CheckedDraft> => {
  const { spec, parts, faults, isSound } = judgeDraft(draft, app.checkExpression);
  const named = [...(await namedFaults(app, parts, isSound)), ...(await approverFaults(app, parts, isSound))];
  return { spec, faults: [...faults, ...named] };
};

type Placed = { readonly pointer: string; readonly id: string };

/** Where a node names what its sessions are of. */
const memberOf = { agent: 'agentId', team: 'teamId', revision: 'definitionRevisionId' } as const;

type IsSound = (pointer: string) => boolean;

const namedFaults = async (app: App, spec: WorkflowSpec, isSound: IsSound): Promise<readonly DraftFault[]> => {
  const places = spec.nodes.flatMap((node, at): NamedPlace[] => {
    const named = namedBy(node);
    const pointer = `/nodes/${at}${node.type === 'map' ? '/node' : ''}/${memberOf[named?.kind ?? 'agent']}`;
    return named && isSound(pointer) ? [{ ...named, pointer }] : [];
  });
  const idsOf = (kind: keyof typeof memberOf): readonly string[] => [...new Set(places.filter((place) => place.kind === kind).map(({ id }) => id))];
  const agents = (await app.catalog.agentsNamed(idsOf('agent'))).flatMap(({ id, key }) => [id, key]);
  const teams = (await app.catalog.teams({ ids: idsOf('team'), offset: 0, limit: idsOf('team').length })).map(({ id }) => id);
  const nested = await revisionsNamed(app, idsOf('revision'));
  const known = { agent: new Set(agents), team: new Set(teams), revision: new Set(nested.map(({ id }) => id)) };
  const missing = places
    .filter(({ kind, id }) => !known[kind].has(id))
    .map(({ pointer, kind, id }) => fault(pointer, 'not_there', `there is no ${kind} ${id}`));
  // What is nested too deep is not counted as well: it is not to be read to its end.
  if (await isTooDeep(app, nested)) return [...missing, fault('/nodes', 'too_deep', `workflows are nested at most ${nestedWorkflows} deep`)];
  return [...missing, ...(await tooMany(app, places))];
};

type Revision = { readonly id: string; readonly spec: WorkflowSpec };

const revisionsNamed = async ({ catalog }: App, ids: readonly string[]): Promise<readonly Revision[]> => {
  const found: Revision[] = [];
  for (const id of ids) {
    const revision = await catalog.revision(id);
    if (revision) found.push({ id, spec: revision.spec as unknown as WorkflowSpec });
  }
  return found;
};

/** Level by level, each revision once a level. */
const isTooDeep = async (app: App, first: readonly Revision[]): Promise<boolean> => {
  let level = first;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > nestedWorkflows) return true;
    const next = level.flatMap(({ spec }) => namedIn(spec).flatMap(({ kind, id }) => (kind === 'revision' ? [id] : [])));
    level = await revisionsNamed(app, [...new Set(next)]);
  }
  return false;
};

type NamedPlace = Named & { readonly pointer: string };

/** Counted as they are frozen, each once. Told of the first node with which there are too many: what comes after it would be, too. */
const tooMany = async (app: App, places: readonly NamedPlace[]): Promise<readonly DraftFault[]> => {
  const found = new Set<string>();
  for (const place of places) {
    let level: readonly Named[] = [place];
    while (level.length > 0 && found.size <= frozenTargets) {
      const fresh = level.filter((named) => !found.has(refOf(named)));
      for (const named of fresh) found.add(refOf(named));
      const nested = await revisionsNamed(
        app,
        fresh.flatMap(({ kind, id }) => (kind === 'revision' ? [id] : [])),
      );
      level = nested.flatMap(({ spec }) => namedIn(spec));
    }
    if (found.size > frozenTargets) return [fault(place.pointer, 'too_many_targets', tooManyTargets)];
  }
  return [];
};

const tooManyTargets = `with this node it names more than ${frozenTargets} agents, teams and revisions, those counted in that its workflows name`;

const approversOf = (node: WorkflowNode, at: number): readonly Placed[] => {
  if (node.type !== 'approval') return [];
  const { approverRef } = node.approval;
  const pointer = `/nodes/${at}/approval/approverRef`;
  if (Array.isArray(approverRef)) return approverRef.map((id, n) => ({ pointer: `${pointer}/${n}`, id }));
  return typeof approverRef === 'string' && roleAsked(approverRef) === undefined ? [{ pointer, id: approverRef }] : [];
};

/** Whoever is not there cannot answer: the turn would wait for ever. */
const approverFaults = async (app: App, { nodes }: WorkflowSpec, isSound: IsSound): Promise<readonly DraftFault[]> => {
  const named = nodes.flatMap(approversOf).filter(({ pointer }) => isSound(pointer));
  const unknown = await unknownUsers(
    app,
    named.map(({ id }) => id),
  );
  return named.filter(({ id }) => unknown.has(id)).map(({ pointer, id }) => fault(pointer, 'not_there', `there is no user ${id}`));
};
