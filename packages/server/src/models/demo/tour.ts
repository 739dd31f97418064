/**
 * The tour of `demo:welcome`: long enough to be watched, reloaded, stopped and killed in its middle.
 *
 * Z1 Which section is due follows from the prompt alone (the model's answers since the request): a call that died with
 *    its process is made again and says the same, but for the process that it names.
 */
import type { ModelRequest, ToolSpec } from '../../ports/model.ts';
import { type TourTool, tourIn } from './tour-texts.ts';
import type { Language } from './welcome-texts.ts';

/** Nothing but the request itself: in a longer message it is ordinary talk. */
const asksForTour = /^[\s\p{P}\p{S}]*(?:(?:please )?show me around|(?:请)?带我(?:看看|转转|逛逛))[\s\p{P}\p{S}]*$/iu;

export const wantsTour = (text: string): boolean => asksForTour.test(text);

/** What is said in one answer, and the tool that it calls behind that. */
export type DueSection = { readonly text: string; readonly tool?: TourTool };

/** Sections whose tool the agent was not given say so, and go on into the next one. */
const sectionsFor = (language: Language, tools: readonly ToolSpec[], pid: number): readonly DueSection[] => {
  const joined: DueSection[] = [];
  let carried: readonly string[] = [];
  for (const { text, call } of tourIn(language, pid)) {
    const said = [...carried, text];
    if (call === undefined) joined.push({ text: said.join('\n\n') });
    else if (tools.some(({ name }) => name === call.tool)) {
      joined.push({ text: [...said, call.before].join('\n\n'), tool: call.tool });
      carried = call.after === undefined ? [] : [call.after];
    } else carried = [...said, call.without];
  }
  return joined;
};

/** The section that is due now; undefined when all have been said. */
export const tourSection = ({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>, language: Language, pid: number): DueSection | undefined => {
  const asked = messages.findLastIndex((message) => message.role === 'user');
  const said = messages.slice(asked + 1).filter((message) => message.role === 'assistant').length;
  return sectionsFor(language, tools, pid)[said];
};
