/**
 * What the workflow in a file names of an installation: whether it is there.
 *
 * An administrator is told all that publishing it would tell: the server looks itself, with any workflow that is there for the place to ask at. For
 * anybody else each agent, team and revision is looked for; what might only be hidden from them is a warning.
 */
import type { Client } from '@turnkeeper/client/create-client';
import type { WorkflowNode } from '@turnkeeper/core/protocol/wire/workflows';
import { roleAsked } from '@turnkeeper/core/session/standing';
import { everyItem } from './every-page.ts';
import { type FileFault, judgeFile, type WorkflowFile } from './workflow-file.ts';

type Failure = { readonly code?: unknown };

/** Undefined where whoever asks may not know. */
const ifAllowed = async <Value>(asked: Promise<Value>): Promise<Value | undefined> =>
  asked.catch((error: Failure) => {
    if (error.code !== 'forbidden' && error.code !== 'scope_missing') throw error;
    return undefined;
  });

const isThere = async (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: Failure) => {
      if (error.code !== 'not_found') throw error;
      return false;
    },
  );

/** Also of a file that is no spec: of what can be read of it. */
export const namedFaults = async (client: Client, { name, spec }: WorkflowFile): Promise<readonly FileFault[]> => {
  const { parts, isSound } = judgeFile(spec);
  const workflows = (await ifAllowed(everyItem(client.workflows.list))) ?? [];
  const at = workflows.find((workflow) => workflow.name === name) ?? workflows[0];
  const told = at && (await ifAllowed(client.workflows.validate(at.id, spec)));
  return told
    ? told.faults
    : lookedFor(
        client,
        workflows.map(({ id }) => id),
        parts.nodes.flatMap(placesOf).filter(({ pointer }) => isSound(pointer)),
      );
};

type Place = { readonly kind: 'agent' | 'team' | 'revision' | 'user'; readonly id: string; readonly pointer: string };

const placesOf = (node: WorkflowNode, at: number): readonly Place[] => {
  const work = node.type === 'map' ? node.node : node;
  const pointer = `/nodes/${at}${node.type === 'map' ? '/node' : ''}`;
  switch (work.type) {
    case 'agent':
      return [{ kind: 'agent', id: work.agentId, pointer: `${pointer}/agentId` }];
    case 'team':
      return [{ kind: 'team', id: work.teamId, pointer: `${pointer}/teamId` }];
    case 'subrun':
      return [{ kind: 'revision', id: work.definitionRevisionId, pointer: `${pointer}/definitionRevisionId` }];
    case 'approval':
      return approversOf(work.approval.approverRef, `${pointer}/approval/approverRef`);
    case 'condition':
    case 'join':
    case 'timer':
    case 'signal':
      return [];
  }
};

/** Roles are told without a server: there are only so many. */
const approversOf = (approverRef: string | readonly string[], pointer: string): readonly Place[] => {
  if (typeof approverRef !== 'string') return approverRef.map((id, n) => ({ kind: 'user', id, pointer: `${pointer}/${n}` }));
  return roleAsked(approverRef) === undefined ? [{ kind: 'user', id: approverRef, pointer }] : [];
};

const lookedFor = async (client: Client, workflows: readonly string[], places: readonly Place[]): Promise<readonly FileFault[]> => {
  const users = places.some(({ kind }) => kind === 'user' || kind === 'revision') ? await ifAllowed(everyItem(client.users.list)) : undefined;
  const known = new Map<string, boolean>();
  const look = async ({ kind, id }: Place): Promise<boolean> => {
    switch (kind) {
      case 'agent':
        return isThere(client.agents.get(id));
      case 'team':
        return isThere(client.teams.get(id));
      case 'user':
        return users === undefined || users.some((user) => user.id === id);
      case 'revision':
        for (const workflow of workflows) if (await isThere(client.workflows.revision(workflow, id))) return true;
        return false;
    }
  };
  const faults: FileFault[] = [];
  for (const place of places) {
    const { kind, id, pointer } = place;
    const ref = `${kind} ${id}`;
    const found = known.get(ref) ?? (await look(place));
    known.set(ref, found);
    // Who sees all users sees all workflows.
    const isSure = kind !== 'revision' || users !== undefined;
    const detail = isSure ? `there is no ${ref}` : `there is no ${ref} among the workflows that you see`;
    if (!found) faults.push({ pointer, code: 'not_there', severity: isSure ? 'error' : 'warning', detail });
  }
  return faults;
};
