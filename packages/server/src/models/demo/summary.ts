/** What the scripted models answer when they are asked for a summary of the conversation: how much it was, and how each question began. */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import { compactionMark } from '@turnkeeper/core/session/compaction';
import type { ModelPart, ModelRequest } from '../../ports/model.ts';
import { estimateUsage } from './usage.ts';

const shown = 60;

export const isSummaryAsked = ({ messages }: Pick<ModelRequest, 'messages'>): boolean => {
  const last = messages.at(-1);
  const block = last?.role === 'user' ? last.content.at(-1) : undefined;
  return block?.type === 'text' && block.text.startsWith(compactionMark);
};

/** Braces would be read as a script. */
const beginning = (text: string): string => firstCodePoints(text.replaceAll(/[{}\s]+/g, ' ').trim(), shown);

export async function* streamSummary(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
  signal.throwIfAborted();
  const messages = request.messages.slice(0, -1);
  const asked = messages.flatMap((message) => (message.role === 'user' ? [`- ${beginning(textOf(message.content))}`] : []));
  const text = `${messages.length} messages. It was asked:\n${asked.join('\n')}`.toWellFormed();
  yield { type: 'text_delta', text };
  yield { type: 'finish', reason: 'stop', usage: estimateUsage(request, text) };
}
