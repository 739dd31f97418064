/** Changes a text in the editor that the user has chosen ($VISUAL, $EDITOR). */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io.ts';

export const editorOf = ({ env }: Pick<Io, 'env'>): string | undefined => env['VISUAL'] || env['EDITOR'] || undefined;

/** Undefined when the editor ends with a fault: then nothing was changed. The file is readable by its owner alone. */
export const editInProgram = async (program: string, text: string): Promise<string | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), 'turnkeeper-edit-'));
  const file = join(folder, 'arguments.json');
  try {
    await writeFile(file, text, { mode: 0o600 });
    // As git does: the variable may hold options, and the file is an argument of its own.
    const child = spawn('/bin/sh', ['-c', `${program} "$@"`, program, file], { stdio: 'inherit' });
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(1));
      child.on('exit', resolve);
    });
    return code === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
