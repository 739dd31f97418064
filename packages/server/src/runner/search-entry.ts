/**
 * How a session's model finds tools that it is not told of by itself.
 *
 * TO5 What is found is what the session may use (app/minitool-terms.ts) and is registered now; a mini-tool's discovery provider adds nothing to that. It is
 *     offered from the next step on, for as long as the session lives.
 */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';
import { type MinitoolUse, minitoolsUsed, type UsableTool, usableTools } from '../app/minitool-terms.ts';
import type { MinitoolTools } from '../ports/minitool-tools.ts';
import type { Tool, ToolAnswer, Tools, ToolTerms } from '../ports/tool.ts';
import type { ToolEntry } from './tool-entries.ts';

export const searchName = 'search_tools';
const mostFound = 10;
const describedCharacters = 300;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How many words of the query a tool has. */
const wordsIn = (query: ReadonlySet<string>, { name, title, description }: UsableTool['tool']): number => {
  const words = new Set(wordsOf(`${name.replaceAll('_', ' ')} ${title} ${description}`));
  return [...query].filter((word) => words.has(word) || [...words].some((each) => word.length > 3 && each.startsWith(word))).length;
};

const byWords = (query: string, tools: readonly UsableTool[]): readonly UsableTool[] => {
  const words = new Set(wordsOf(query));
  const fits = tools.map((usable) => ({ usable, fits: wordsIn(words, usable.tool) })).filter((each) => each.fits > 0);
  return fits.toSorted((a, b) => b.fits - a.fits).map(({ usable }) => usable);
};

const isDynamic = ({ tool }: UsableTool): boolean => tool.exposure === 'dynamic';

const search = async (use: MinitoolUse, minitools: MinitoolTools, query: string, sessionId: string): Promise<readonly UsableTool[]> => {
  const ids = minitoolsUsed(use).filter((id) => minitools.searchable().includes(id));
  const told = ids.length > 0 ? await minitools.search(ids, { query, limit: mostFound }, sessionId) : [];
  // A provider may have registered them just now.
  const usable = usableTools(use, minitools);
  const named = told.flatMap(({ toolName }) => usable.filter(({ tool }) => tool.name === toolName));
  return [...new Set([...named, ...byWords(query, usable.filter(isDynamic))])].slice(0, mostFound);
};

const lineOf = ({ tool }: UsableTool): string => `- ${tool.name}: ${firstCodePoints(tool.description, describedCharacters)}`;

const answerOf = (found: readonly UsableTool[]): ToolAnswer => {
  if (found.length === 0) return { output: [{ type: 'text', text: 'No tool was found. Try other words.' }], isError: false };
  const text = `Found, and to be called from the next step on:\n${found.map(lineOf).join('\n')}`;
  return { output: [{ type: 'text', text }], isError: false, found: found.map(({ tool }) => tool.name) };
};

/** Offered where there is something to be found, unless the definition says `never`. */
export const searchEntry = (use: MinitoolUse, tools: Tools): ToolEntry | undefined => {
  const { minitools } = tools;
  const plain = tools.builtin(searchName);
  const terms: ToolTerms = use.definition.tools.find((tool) => tool.type === 'builtin' && tool.name === searchName) ?? {};
  if (!plain || terms.permission === 'never') return undefined;
  const searchable = minitools.searchable();
  if (!minitoolsUsed(use).some((id) => searchable.includes(id)) && !usableTools(use, minitools).some(isDynamic)) return undefined;
  const tool: Tool = {
    ...plain,
    timeoutMs: terms.timeoutMs ?? plain.timeoutMs,
    run: async (input, { sessionId }) => answerOf(await search(use, minitools, String(input['query']), sessionId)),
  };
  return { terms, spec: tool.spec, executor: 'server', tool };
};
