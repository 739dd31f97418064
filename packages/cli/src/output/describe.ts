/** Turns, tools and actions as one line each. No colour in here: callers add it. */
import type { CallProgress } from '@turnkeeper/client/view/call-progress';
import { toolFactsOf } from '@turnkeeper/client/view/tool-facts';
import type { ItemBlock } from '@turnkeeper/core/protocol/content';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { UsageSums } from '@turnkeeper/core/view/usage';
import { oneLine } from './printable.ts';

type ContentPart = ItemBlock | ToolBody['output'][number];

export const usageText = (usage: Pick<UsageSums, 'total_tokens' | 'estimated_cost' | 'currency' | 'cost_complete'>): string => {
  if (usage.total_tokens === 0) return '';
  const tokens = `${usage.total_tokens.toLocaleString('en')} tokens`;
  if (usage.currency === null) return tokens;
  return `${tokens}, ${usage.cost_complete ? '' : 'at least '}${Number(usage.estimated_cost.toPrecision(2))} ${usage.currency}`;
};

export const outcomeText = (turn: TurnBody): string => {
  const usage = usageText(turn.usage);
  const unverified = turn.unverified_calls?.length ? `; ${turn.unverified_calls.length} call(s) may still have had their effect` : '';
  const fault = turn.error_code === undefined ? '' : `: ${turn.error_code}${turn.error_message ? ` — ${oneLine(turn.error_message, 200)}` : ''}`;
  return `${turn.status.replaceAll('_', ' ')}${fault}${unverified}${usage ? ` (${usage})` : ''}`;
};

export const callText = (name: string, input: unknown): string => {
  const text = JSON.stringify(input);
  // Its name is what a model wrote, too.
  return `${oneLine(name, 80)}(${text === '{}' ? '' : oneLine(text, 80)})`;
};

/** What a message says; of one without a text, what it holds: data as JSON, files by their kind. */
export const contentText = (content: readonly ContentPart[]): string =>
  textOf(content) ||
  content.map((block) => (block.type === 'data' ? JSON.stringify(block.data) : block.type === 'tool_use' ? '' : `[${block.type}]`)).join(' ');

export const toolResultText = (tool: ToolBody): string => oneLine(contentText(tool.output), 100);

/** How far a call is, where its tool says so. */
export const progressText = ({ message, stage, percent }: CallProgress): string =>
  [...(stage === undefined ? [] : [oneLine(stage, 40)]), oneLine(message), ...(percent === undefined ? [] : [`${Math.floor(percent)} %`])].join(' · ');

/** What a tool warns of, in words that stand before all others. */
export const warningText = (action: ActionBody): string => {
  const facts = toolFactsOf(action);
  const warnings = [...(facts?.destructive ? ['CANNOT BE UNDONE'] : []), ...(facts?.dangerous ? ['HIGH RISK'] : [])];
  return warnings.length === 0 ? '' : `${warnings.join(', ')}: `;
};

/** What the tool calls itself, and whose it is. */
const aboutText = (action: ActionBody): string => {
  const { title, minitool } = toolFactsOf(action) ?? {};
  const about = [
    ...(title === undefined ? [] : [`“${oneLine(title, 60)}”`]),
    ...(minitool === undefined ? [] : [`from the mini-tool “${oneLine(minitool.name, 40)}” (${oneLine(minitool.id, 60)})`]),
  ];
  return about.length === 0 ? '' : ` — ${about.join(', ')}`;
};

/** What is asked, with all that should be known of the tool before it is answered. */
export const actionText = (action: ActionBody): string => `${warningText(action)}${askedText(action)}${aboutText(action)}`;

const askedText = (action: ActionBody): string => {
  const call = action.tool_call ? callText(action.tool_call.name, action.tool_call.input) : (action.prompt ?? action.kind);
  switch (action.kind) {
    case 'approval':
      return `asks for approval: ${oneLine(action.prompt ?? call)}`;
    case 'confirmation':
      return `may ${call} run?`;
    case 'external_execution':
      return `${call} waits for its result`;
    case 'reconciliation':
      return `the result of ${call} is unknown: what was it?`;
    case 'question': {
      const [first, ...more] = action.questions ?? [];
      return `asks: ${oneLine(first?.question ?? call)}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
    }
    case 'form':
      return `form: ${oneLine(action.form?.title ?? call)}`;
    case 'signal':
      return `waits for the signal ${oneLine(action.signal_name ?? call)}`;
  }
};

/** The same behind the word for how it was answered: an approval no longer asks. */
export const answeredText = (action: ActionBody): string => (action.kind === 'approval' && action.prompt ? oneLine(action.prompt) : actionText(action));
