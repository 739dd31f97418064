/** Reads a model's answer to its end, as the runner would, and puts it into the next prompt. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AssistantPart, PromptMessage } from '@turnkeeper/core/session/context';
import type { ModelPart } from '../../ports/model.ts';

export type CollectedAnswer = {
  readonly parts: readonly ModelPart[];
  readonly text: string;
  /** The joined argument deltas of each call, by id. */
  readonly deltas: Readonly<Record<string, string>>;
  readonly calls: readonly Extract<ModelPart, { type: 'tool_call' }>[];
  readonly finish: Extract<ModelPart, { type: 'finish' }> | undefined;
};

export const collectAnswer = async (stream: AsyncIterable<ModelPart>): Promise<CollectedAnswer> => {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  const deltas: Record<string, string> = {};
  for (const part of parts) if (part.type === 'tool_call_delta') deltas[part.id] = (deltas[part.id] ?? '') + part.text;
  return {
    parts,
    text: parts.flatMap((part) => (part.type === 'text_delta' ? [part.text] : [])).join(''),
    deltas,
    calls: parts.filter((part) => part.type === 'tool_call'),
    finish: parts.findLast((part) => part.type === 'finish'),
  };
};

/** The assistant's message: its reasoning, its text with the data that `finish` brought, its calls. */
export const assistantMessage = ({ parts, text, finish }: CollectedAnswer): PromptMessage => {
  const provider = finish?.textProvider;
  const said: AssistantPart[] = text === '' ? [] : [{ type: 'text', text, ...(provider === undefined ? {} : { provider }) }];
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  const calls = parts.flatMap((part): AssistantPart[] => {
    if (part.type !== 'tool_call') return [];
    const input = JSON.parse(part.arguments) as JsonObject;
    return [{ type: 'tool_call', id: part.id, name: part.name, input, ...(part.provider === undefined ? {} : { provider: part.provider }) }];
  });
  return { role: 'assistant', content: [...reasoning, ...said, ...calls] };
};
