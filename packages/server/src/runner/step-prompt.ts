/**
 * What the next model call is shown, and whether the context is to be compacted first.
 *
 * N11 Whatever part of the context is read, the prompt begins with a user message (C1).
 */
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { type CompactionPlan, planCompaction, roughTokens } from '@turnkeeper/core/session/compaction';
import { assemblePrompt, type ContextRow, lastMessages, type PromptMessage, promptOf, visibleRows } from '@turnkeeper/core/session/context';
import { contextWindowOf } from '@turnkeeper/core/session/context-windows';
import type { Session } from '../app/lane.ts';
import { readLastMessages } from '../app/read-context.ts';
import type { RunServices } from './run-services.ts';
import type { ToolSet } from './tool-set.ts';

export type StepPrompt = {
  readonly messages: readonly PromptMessage[];
  /** What is to be replaced before the model is called. */
  readonly due: CompactionPlan | undefined;
  /** Something could be replaced, if the model refuses this for its length. */
  readonly mayShorten: () => boolean;
};

/** What a prompt is made for. `refusals`: how often in a row it was refused for its length. */
export type PromptNeed = {
  readonly definition: AgentDefinition;
  /** What the model is told of its tools. */
  readonly tools: Pick<ToolSet, 'specs' | 'prompt'>;
  readonly refusals: number;
};

/** The prompt of these rows, as many as it is made of. */
export const promptOfRows = (rows: readonly ContextRow[], { definition, tools: { specs, prompt }, refusals }: PromptNeed): StepPrompt => {
  // Its definition says how its context is kept short.
  if (definition.maxContextMessages !== undefined)
    return { messages: lastMessages(assemblePrompt(rows), definition.maxContextMessages), due: undefined, mayShorten: () => false };
  const visible = visibleRows(rows);
  const window = definition.contextWindow ?? contextWindowOf(definition.model);
  const fixed = roughTokens(`${definition.system}${prompt}`) + (specs.length === 0 ? 0 : roughTokens(JSON.stringify(specs)));
  return {
    messages: promptOf(visible),
    due: planCompaction(visible, { window, fixed, refusals }),
    // Asked for after a refusal only: it goes over the whole context.
    mayShorten: () => planCompaction(visible, { window, fixed, refusals: 1 }) !== undefined,
  };
};

/** `tools`: what the model is told of them. */
export const stepPrompt = async (
  { head, state, config }: Session,
  { store, contexts }: Pick<RunServices, 'store' | 'contexts'>,
  tools: PromptNeed['tools'],
): Promise<StepPrompt> => {
  const { definition } = config.target;
  if (definition.maxContextMessages !== undefined)
    return { messages: await readLastMessages(store, head.sid, definition.maxContextMessages), due: undefined, mayShorten: () => false };
  const refusals = state.live?.compaction === 'owed' ? Math.max(1, state.live.modelFailures) : 0;
  return promptOfRows(await contexts.read(head.sid), { definition, tools, refusals });
};
