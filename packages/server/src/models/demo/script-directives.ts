/**
 * The directives of `demo:script`, as they stand in the message. `script.ts` says what they mean together.
 */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';
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
    code: z.enum(['model_error', 'context_length_exceeded']).optional(),
    /** Only prompts of more than so many tokens fail. */
    over: z.int().nonnegative().optional(),
  }),
});
const hang = z.strictObject({ hang: z.literal(true) });
const usage = z.strictObject({
  usage: z.union([z.literal(false), z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() })]),
});
const finish = z.strictObject({ finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'other']) });
const echo = z.strictObject({ echo: z.enum(['message', 'prompt']) });

const kinds = [text, reasoning, delay, tool, error, hang, usage, finish, echo] as const;
const directive = z.union(kinds);
export type Directive = z.infer<typeof directive>;

const step = z.array(directive);

/** `key` sets two scripts apart that are otherwise the same, so that they do not share the count of their attempts. */
export const script = z.union([
  z.strictObject({ script: step, key: z.string().optional() }).transform((value) => ({ steps: [value.script] })),
  z.strictObject({ steps: z.array(step).min(1), key: z.string().optional() }).transform((value) => ({ steps: value.steps })),
]);
export type Script = z.infer<typeof script>;

const directiveNames = kinds.flatMap((kind) => Object.keys(kind.shape).slice(0, 1));
const shownLength = 80;

const isObject = (value: unknown): value is { readonly [name: string]: unknown } => value !== null && typeof value === 'object' && !Array.isArray(value);

const directiveFault = (value: unknown): string => {
  const kind = isObject(value) ? kinds.find((entry) => Object.keys(value).some((name) => name === Object.keys(entry.shape)[0])) : undefined;
  if (!kind) return `is none. There are: ${directiveNames.join(', ')}`;
  const [issue] = kind.safeParse(value).error?.issues ?? [];
  return `does not fit${issue ? `: ${[...issue.path, issue.message].join(': ')}` : ''}`;
};

/** What is wrong with a script that was refused: the first directive that does not fit, by its text and place. */
export const scriptFault = (value: unknown): string => {
  const given = isObject(value) ? value : {};
  const steps = 'script' in given ? [given['script']] : given['steps'];
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(Array.isArray)) return 'write {"script": [directive, …]} or {"steps": [[directive, …], …]}.';
  for (const [stepAt, entries] of (steps as readonly (readonly unknown[])[]).entries())
    for (const [at, entry] of entries.entries())
      if (!directive.safeParse(entry).success)
        return `${firstCodePoints(JSON.stringify(entry), shownLength)} (directive ${at + 1} of step ${stepAt + 1}) ${directiveFault(entry)}.`;
  return `beside its steps a script may have a "key" (a text), and nothing else.`;
};
