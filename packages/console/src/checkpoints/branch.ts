/** What was said on the way to a place, from the public history of the session and of those that it was forked from. */
import type { Client } from '@turnkeeper/client/create-client';
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { toolKey } from '@turnkeeper/core/view/resources';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { outputText } from '../timeline/tool-output.tsx';
import { type BranchRef, pathTo } from './lineage.ts';

export type BranchEntry = {
  readonly key: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Of a tool. */
  readonly name: string;
  readonly text: string;
};
/** `incomplete`: what it began with cannot be read. */
export type Branch = { readonly session: SessionResource; readonly entries: readonly BranchEntry[]; readonly incomplete: boolean };

export const sameEntry = (a: BranchEntry, b: BranchEntry): boolean => a.role === b.role && a.name === b.name && a.text === b.text;
export const akinEntry = (a: BranchEntry, b: BranchEntry): boolean => a.role === b.role && a.name === b.name;

const pageSize = 1_000;
/** Forks of forks are followed so far. */
const mostForks = 16;

export const readResources = async <Body>(client: Client, sessionId: string, list: string): Promise<readonly Body[]> => {
  const found: Envelope[] = [];
  for (let after: string | undefined; ; ) {
    const page = await client.sessions.resources(sessionId, list, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    found.push(...page.data);
    if (page.next_cursor === null) return found.map(({ data }) => data as unknown as Body);
    after = page.next_cursor;
  }
};

/** Newest first. */
export const readCheckpoints = async (client: Client, sessionId: string): Promise<readonly CheckpointResource[]> => {
  const found: CheckpointResource[] = [];
  for (let after: string | undefined; ; ) {
    const page = await client.context.checkpoints(sessionId, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    found.push(...page.data);
    if (page.next_cursor === null) return found;
    after = page.next_cursor;
  }
};

const entriesOf = (sessionId: string, item: ItemBody, tools: ReadonlyMap<string, ToolBody>): readonly BranchEntry[] => {
  const { item_id, turn_id } = item;
  const { role, content } = item.item;
  const base = { sessionId, turnId: turn_id };
  const text = textOf(content);
  const calls = content.flatMap((block): BranchEntry[] => {
    if (block.type !== 'tool_use') return [];
    const tool = tools.get(toolKey({ turn_id, tool_call_id: block.id }));
    const output = tool ? outputText(tool.output) : '';
    const said = `${JSON.stringify(tool?.input ?? block.input, null, 2)}${output === '' ? '' : `\n→ ${output}`}`;
    return [{ ...base, key: `${item_id}/${block.id}`, role: 'tool', name: block.name, text: said }];
  });
  return [...(text === '' ? [] : [{ ...base, key: item_id, role, name: '', text }]), ...calls];
};

/** Turns that no checkpoint tells of yet: they go on from what the context is now. */
const untold = (turns: readonly TurnBody[], checkpoints: readonly CheckpointResource[]): readonly string[] => {
  const known = new Set(checkpoints.map(({ turn_id }) => turn_id));
  const last = turns.findLastIndex(({ turn_id }) => known.has(turn_id));
  return turns.slice(last + 1).map(({ turn_id }) => turn_id);
};

/** Throws what the server refuses with; `not_found` for a place that is not there. */
export const readBranch = async (client: Client, { sessionId, at }: BranchRef, forks = 0): Promise<Branch> => {
  const [session, checkpoints, items, tools, turns] = await Promise.all([
    client.sessions.get(sessionId),
    readCheckpoints(client, sessionId),
    readResources<ItemBody>(client, sessionId, 'items'),
    readResources<ToolBody>(client, sessionId, 'tools'),
    readResources<TurnBody>(client, sessionId, 'turns'),
  ]);
  const path = pathTo(checkpoints, at);
  if (!path) throw Object.assign(new Error('There is no such checkpoint.'), { code: 'not_found' });
  const shown = path.isNewest ? [...path.turns, ...untold(turns, checkpoints)] : path.turns;
  const byKey = new Map(tools.map((tool) => [toolKey(tool), tool]));
  const byTurn = Map.groupBy(items, ({ turn_id }) => turn_id);
  const own = shown.flatMap((turnId) => (byTurn.get(turnId) ?? []).flatMap((item) => entriesOf(sessionId, item, byKey)));
  const base = await baseOf(client, session, forks);
  return { session, entries: [...base.entries, ...own], incomplete: base.incomplete };
};

/** What the session began with. */
const baseOf = async (client: Client, { forked_from: from }: SessionResource, forks: number): Promise<Pick<Branch, 'entries' | 'incomplete'>> => {
  if (!from) return { entries: [], incomplete: false };
  if (forks >= mostForks) return { entries: [], incomplete: true };
  try {
    return await readBranch(client, { sessionId: from.session_id, at: from.checkpoint_id }, forks + 1);
  } catch (error) {
    // Deleted, or not theirs to read.
    if (['not_found', 'forbidden'].includes(String((error as { readonly code?: unknown }).code))) return { entries: [], incomplete: true };
    throw error;
  }
};
