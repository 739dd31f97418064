/** `--input-schema`, `--output-schema` and `--map` of `turnkeeper ask`: what a new session is given, and what its turns come to. */
import { readFile } from 'node:fs/promises';
import type { CreateSessionRequest } from '@turnkeeper/core/protocol/wire/sessions';
import { UsageError } from '../exit-codes.ts';

export type SchemaOptions = {
  /** A file, or the JSON itself. */
  readonly inputSchema?: string;
  readonly outputSchema?: string;
  /** `name=pointer`. */
  readonly map?: readonly string[];
};

type Schema = NonNullable<CreateSessionRequest['outputSchema']>;

const schemaIn = async (flag: string, given: string): Promise<Schema> => {
  const text = given.trimStart().startsWith('{')
    ? given
    : await readFile(given, 'utf8').catch((error: Error) => {
        throw new UsageError(`${flag} ${given} cannot be read: ${error.message}`);
      });
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Schema;
  } catch {
    // Said below, in the same words.
  }
  throw new UsageError(`${flag} must be a JSON Schema: an object, as a file or as JSON.`);
};

const pointers = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((text) => {
      const [, name, pointer] = /^([^=]+)=(.*)$/.exec(text) ?? [];
      if (name === undefined || pointer === undefined) throw new UsageError(`--map "${text}" is no <name>=<pointer>, e.g. --map city=/trip/city`);
      return [name, pointer];
    }),
  );

/** What a result is printed of, in place of what the agent says. */
export const asksForResult = ({ outputSchema, map }: SchemaOptions): boolean => outputSchema !== undefined || map !== undefined;

/** Throws UsageError for what is no schema. */
export const sessionSchemas = async ({
  inputSchema,
  outputSchema,
  map,
}: SchemaOptions): Promise<Pick<CreateSessionRequest, 'inputSchema' | 'outputSchema' | 'resultMapping'>> => ({
  ...(inputSchema === undefined ? {} : { inputSchema: await schemaIn('--input-schema', inputSchema) }),
  ...(outputSchema === undefined ? {} : { outputSchema: await schemaIn('--output-schema', outputSchema) }),
  ...(map === undefined ? {} : { resultMapping: pointers(map) }),
});
