/**
 * Which tools of mini-tools a session may use, and on what terms.
 *
 * TO1 A tool of a mini-tool is there for a session whose definition names the mini-tool (and it, where tools are named), or that the
 *     mini-tool owns and for which the tool is enabled by default. What a definition says of a named tool comes before what it says of all
 *     others; `never` holds by every route.
 * TO2 A child session has what its own definition names and no more: whoever owns its root gives nothing to it. So does one that was
 *     made with the context of its caller: it is not wider than that.
 */
import { type AgentDefinition, type MinitoolTool as MinitoolEntry, minitoolToolName } from '@turnkeeper/core/protocol/wire/agents';
import type { MinitoolTool, MinitoolTools } from '../ports/minitool-tools.ts';
import type { ToolTerms } from '../ports/tool.ts';
import { isChild } from './is-child.ts';
import type { Session } from './lane.ts';

/** Whose tools are wanted: the definition, and the mini-tool that owns the session if one does. */
export type MinitoolUse = { readonly definition: AgentDefinition; readonly ownedBy: string | undefined };

const ownerPrefix = 'minitool:';

export const minitoolUse = ({ row, config }: Pick<Session, 'row' | 'config'>): MinitoolUse => ({
  definition: config.target.definition,
  ownedBy: row.owner.startsWith(ownerPrefix) && !isChild(row) && !config.minitool?.caller ? row.owner.slice(ownerPrefix.length) : undefined,
});

const entriesOf = ({ tools }: AgentDefinition): readonly MinitoolEntry[] => tools.filter((tool) => tool.type === 'minitool');

/** Ids of the mini-tools whose tools the session may use. */
export const minitoolsUsed = ({ definition, ownedBy }: MinitoolUse): readonly string[] => [
  ...new Set([...entriesOf(definition).map(({ id }) => id), ...(ownedBy === undefined ? [] : [ownedBy])]),
];

const isNamed = ({ id, tools }: MinitoolEntry, name: string): boolean => tools?.some((tool) => minitoolToolName(id, tool) === name) === true;

/** The terms of one tool; undefined where the session may not use it. */
const termsOf = ({ definition, ownedBy }: MinitoolUse, { minitoolId, name, defaultEnabled }: MinitoolTool): ToolTerms | undefined => {
  const entries = entriesOf(definition).filter(({ id }) => id === minitoolId);
  const entry = entries.find((each) => isNamed(each, name)) ?? entries.find(({ tools }) => tools === undefined);
  if (entry) return entry.permission === 'never' ? undefined : entry;
  return ownedBy === minitoolId && defaultEnabled ? {} : undefined;
};

export type UsableTool = { readonly tool: MinitoolTool; readonly terms: ToolTerms };

/** Those that are registered now. */
export const usableTools = (use: MinitoolUse, minitools: MinitoolTools): readonly UsableTool[] => {
  const used = new Set(minitoolsUsed(use));
  if (used.size === 0) return [];
  return minitools.list().flatMap((tool) => {
    const terms = used.has(tool.minitoolId) ? termsOf(use, tool) : undefined;
    return terms ? [{ tool, terms }] : [];
  });
};
