/** What `execute` gives back, as the answer of a tool call. */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import { z } from 'zod';
import type { ToolAnswer } from '../ports/tool.ts';

const text = z.object({ type: z.literal('text'), text: z.string() });
// Strict base64: Node's own decoder takes anything.
const image = z.object({ type: z.literal('image'), data: z.base64().min(1), mimeType: z.string().regex(/^image\/[\w.+-]{1,64}$/) });
const result = z.object({ content: z.array(z.discriminatedUnion('type', [text, image])).max(100), isError: z.boolean().optional() });

const asBlock = (block: z.infer<typeof result>['content'][number]): OutputBlock =>
  block.type === 'text' ? block : { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } };

/** Throws where it is no result of a tool, saying what is wanted. */
export const toolAnswerOf = (value: unknown): ToolAnswer => {
  const parsed = result.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(
      `The tool gave no result of the form {content: [{type: "text" | "image", …}]} (${issue?.path.join('.') || 'result'}: ${issue?.message ?? 'wrong'})`,
    );
  }
  return { output: parsed.data.content.map(asBlock), isError: parsed.data.isError ?? false };
};
