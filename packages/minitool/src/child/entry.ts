/** The entry of a mini-tool: an ES module that exports `activate`, and perhaps `deactivate`. */
import { pathToFileURL } from 'node:url';
import type { MiniToolContext } from '../context.ts';
import { MinitoolError, messageOf } from '../failure.ts';

export type Entry = {
  readonly activate: (ctx: MiniToolContext) => unknown;
  readonly deactivate?: () => unknown;
};

const failed = (message: string, cause?: unknown): MinitoolError => new MinitoolError('activation_failed', message, {}, { cause });

const isFunction = (value: unknown): value is () => unknown => typeof value === 'function';

/** What a module exports, as an entry. */
export const entryOf = (exported: Readonly<Record<string, unknown>>, main: string): Entry => {
  const { activate, deactivate } = exported;
  if (isFunction(activate)) return { activate, ...(isFunction(deactivate) ? { deactivate } : {}) };
  if ('default' in exported)
    throw failed(`${main} has a default export only. Export the function by its name instead: \`export function activate(ctx) { … }\`.`);
  throw failed(`${main} exports no function \`activate\`. A mini-tool begins with \`export function activate(ctx) { … }\`.`);
};

export const loadEntry = async (main: string): Promise<Entry> => {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await import(pathToFileURL(main).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw failed(`${main} could not be loaded: ${messageOf(error)}`, error);
  }
  return entryOf(exported, main);
};
