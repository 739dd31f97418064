/**
 * The directives of `demo:script`, as they stand in the message. `script.ts` says what they mean together.
 */
import { z } from 'zod';

const text = z.strictObject({
  /** One delta, exactly; with `chunk` several of so many characters. */
  text: z.string(),
  chunk: z.int().positive().optional(),
});
const reasoning = z.strictObject({ reasoning: z.string() });
const delay = z.strictObject({ delay_ms: z.number().nonnegative() });
const tool = z.strictObject({
  tool: z.strictObject({
    name: z.string().min(1),
    input: z.record(z.string(), z.json()).default({}),
    /** The argument text instead of `input`, e.g. to be invalid. */
    raw: z.string().optional(),
    id: z.string().min(1).optional(),
    /** Cuts the argument text into deltas of so many characters; else one delta. */
    chunk: z.int().positive().optional(),
  }),
});
const error = z.strictObject({
  error: z.strictObject({
    status: z.int().optional(),
    message: z.string().default('scripted failure'),
    retryable: z.boolean().default(true),
    retry_after_ms: z.number().nonnegative().optional(),
    /** Only the first so many attempts fail; else all. */
    times: z.int().positive().optional(),
  }),
});
const hang = z.strictObject({ hang: z.literal(true) });
const usage = z.strictObject({
  usage: z.union([z.literal(false), z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() })]),
});
const finish = z.strictObject({ finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'other']) });
const echo = z.strictObject({ echo: z.enum(['message', 'prompt']) });

export const directive = z.union([text, reasoning, delay, tool, error, hang, usage, finish, echo]);
export type Directive = z.infer<typeof directive>;

const step = z.array(directive);

/** `key` sets two scripts apart that are otherwise the same, so that they do not share the count of their attempts. */
export const script = z.union([
  z.strictObject({ script: step, key: z.string().optional() }).transform((value) => ({ steps: [value.script] })),
  z.strictObject({ steps: z.array(step).min(1), key: z.string().optional() }).transform((value) => ({ steps: value.steps })),
]);
export type Script = z.infer<typeof script>;
