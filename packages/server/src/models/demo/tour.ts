/**
 * The tour of `demo:welcome`: long enough to be watched, reloaded, stopped and killed in its middle.
 *
 * Z1 Which section is due follows from the prompt alone (the model's answers since the request): a call that died with
 *    its process is made again and says the same.
 */
import type { ModelRequest, ToolSpec } from '../../ports/model.ts';
import { type TourSection, tourIn } from './tour-texts.ts';
import type { Language } from './welcome-texts.ts';

/** Nothing but the request itself: in a longer message it is ordinary talk. */
const asksForTour = /^[\s\p{P}\p{S}]*(?:(?:please )?show me around|(?:请)?带我(?:看看|转转|逛逛))[\s\p{P}\p{S}]*$/iu;

export const wantsTour = (text: string): boolean => asksForTour.test(text);

/** Sections whose tool the agent was not given go on into the next one. */
const sectionsFor = (language: Language, tools: readonly ToolSpec[]): readonly TourSection[] => {
  const joined: TourSection[] = [];
  let carried = '';
  for (const { text, tool } of tourIn(language)) {
    const whole = carried + text;
    const offered = tool !== undefined && tools.some(({ name }) => name === tool);
    if (offered || tool === undefined) joined.push(offered ? { text: whole, tool } : { text: whole });
    carried = offered ? '' : `${whole}\n\n`;
  }
  return joined;
};

/** The section that is due now; undefined when all have been said. */
export const tourSection = ({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>, language: Language): TourSection | undefined => {
  const asked = messages.findLastIndex((message) => message.role === 'user');
  const said = messages.slice(asked + 1).filter((message) => message.role === 'assistant').length;
  return sectionsFor(language, tools)[said];
};
