/** `turnkeeper export` and `import`: a session's events as a file, and back. */
import { existsSync, openAsBlob, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import { saveWhole } from '../save-whole.ts';
import { resolveSession } from '../session-ref.ts';

export type ExportOptions = { readonly output?: string; readonly events?: boolean; readonly force?: boolean };

/** To a file, or to standard output as it comes. A file is an archive, unless only the events are wanted. */
export const exportSession = async (context: CommandContext, ref: string | undefined, { output, events, force }: ExportOptions): Promise<ExitCode> => {
  const { client, io, note, json, printJson } = context;
  const file = output === undefined ? undefined : resolve(io.cwd, output);
  if (file !== undefined && existsSync(file) && force !== true)
    throw new UsageError(`${file} is there already. Choose another name with -o, or write over it with --force.`);
  const { id } = await resolveSession(client, ref);
  const { body } = await client.sessions.exportEvents(id, { archive: events !== true, signal: io.interrupted });
  if (!body) throw new UsageError('The server sent nothing.');
  if (file !== undefined) await saveWhole(file, body);
  // Whole characters only: standard output is written as text.
  else for await (const text of body.pipeThrough(new TextDecoderStream())) io.stdout.write(text);
  if (output !== undefined && json) printJson({ session: id, file: output });
  else if (output !== undefined) note(`exported ${id} to ${output}`);
  return exitCodes.completed;
};

/** No first line of an archive is longer. */
const headBytes = 1024 * 1024;

/** Whether it is what `export --events` writes: an event in the first line, where an archive says what the session is. */
const holdsEventsOnly = async (bytes: Blob): Promise<boolean> => {
  const [first = ''] = (await bytes.slice(0, headBytes).text()).split('\n', 1);
  try {
    const { type } = JSON.parse(first) as { readonly type?: unknown };
    return typeof type === 'string' && type !== 'session.export';
  } catch {
    return false;
  }
};

export const importSession = async ({ client, io, json, print, printJson }: CommandContext, path: string): Promise<ExitCode> => {
  const file = resolve(io.cwd, path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const bytes = await openAsBlob(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (await holdsEventsOnly(bytes)) throw new UsageError(`${file} holds the events of a session alone, not the session: export it without --events.`);
  const session = await client.sessions.importArchive(bytes);
  if (json) printJson(session);
  else print(`imported ${session.id} (${oneLine(session.title || 'no title', 60)}), as a record`);
  return exitCodes.completed;
};
