/** `--input` of the commands that say something: JSON, or `@` and the name of a file that holds it. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Json } from '@turnkeeper/core/protocol/json';
import { UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';

/** Throws UsageError for a file that cannot be read, and for what is no JSON. */
export const jsonIn = async ({ cwd }: Pick<Io, 'cwd'>, given: string): Promise<Json> => {
  const text = given.startsWith('@')
    ? await readFile(resolve(cwd, given.slice(1)), 'utf8').catch((error: Error) => {
        throw new UsageError(`--input ${given} cannot be read: ${error.message}`);
      })
    : given;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UsageError('--input must be JSON, or @ and the name of a file that holds it.');
  }
};
