/**
 * What mini-tools say to the models of agents that have their tools.
 *
 * TO7 It stands behind the agent's own system prompt, and never in its place; only of mini-tools that have a tool there for the session,
 *     in the order in which the definition names them, and no more than `mostOfOne` and `mostOfAll` characters of it.
 * TO8 It changes with the tools that are registered and with nothing else: finding a tool, or the next step, leaves the beginning of the
 *     request as it was, so that what providers cache of it stays of use.
 */
import { type MinitoolUse, minitoolsUsed, type UsableTool } from '../app/minitool-terms.ts';
import type { MinitoolTools } from '../ports/minitool-tools.ts';

const mostOfOne = 4_000;
const mostOfAll = 16_000;

/** Whole characters: none is cut in two. */
const cut = (text: string, most: number): string => (text.length <= most ? text : [...text].slice(0, most).join(''));

/** What is added to a system prompt; empty where nobody says anything. */
export const minitoolPrompts = (use: MinitoolUse, usable: readonly UsableTool[], minitools: Pick<MinitoolTools, 'prompt'>): string => {
  const present = new Set(usable.map(({ tool }) => tool.minitoolId));
  const said = minitoolsUsed(use).flatMap((id) => {
    const text = present.has(id) ? cut(minitools.prompt(id)?.trim() ?? '', mostOfOne) : '';
    return text === '' ? [] : [`\n\n${text}`];
  });
  return cut(said.join(''), mostOfAll);
};
