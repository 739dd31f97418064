/** Success criteria of a turn on the wire, and what became of them. */
import { z } from 'zod';
import { expression } from './workflows.ts';

/** How often a turn may be tried at most. */
const maxTries = 5;
/** Of a schema, as JSON: it stands with the turn, which is written anew with all that happens in it. */
export const criteriaSchemaCharacters = 65_536;

const rubric = z.strictObject({
  /** The agent that judges; its version at the moment of the submission. */
  agentId: z.string().min(1).max(200),
  criteria: z.string().trim().min(1).max(20_000),
});

/** What the turn's result must be: all of it. `expression` is CEL over `result`. */
export const outcomeCheck = z
  .strictObject({
    schema: z
      .record(z.string(), z.json())
      .refine((schema) => JSON.stringify(schema).length <= criteriaSchemaCharacters, { error: `at most ${criteriaSchemaCharacters} characters of JSON` })
      .optional(),
    expression: expression.optional(),
    rubric: rubric.optional(),
    /** How often it is tried, the first time included. */
    maxTries: z.int().min(1).max(maxTries).default(1),
  })
  .refine(({ schema, expression: told, rubric: by }) => schema !== undefined || told !== undefined || by !== undefined, {
    error: 'at least one of schema, expression and rubric',
  });

/** `reasons`: why it was not satisfied, as of the last try. */
export const outcomeVerdict = z.object({ status: z.enum(['satisfied', 'not_satisfied']), tries: z.int(), reasons: z.array(z.string()) });

export type OutcomeCheck = z.infer<typeof outcomeCheck>;
