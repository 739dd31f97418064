/** `turnkeeper minitool new | doctor | dev`: for whoever writes one. The first two need no server. */
import { existsSync, mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examine } from '@turnkeeper/minitool/doctor/examine';
import { type CommandContext, createPrinter } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type Build, buildOf, buildSources } from '../minitool/build-sources.ts';
import { templateFiles } from '../minitool/template.ts';
import { oneLine, printable } from '../output/printable.ts';
import { programName } from '../program-name.ts';
import { release } from '../release.ts';
import { agreeAndEnable, reportSettled } from './minitool-add.ts';
import { followLog, logLine } from './minitool-logs.ts';

const idOf = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 62);

const nameOf = (id: string): string => id.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());

/** In a checkout the package beside this one; else the one of this release. */
const kitFor = (folder: string): string => {
  const own = dirname(dirname(fileURLToPath(import.meta.resolve('@turnkeeper/minitool/manifest'))));
  return own.split(sep).includes('node_modules') ? release() : `file:${relative(folder, own).replaceAll(sep, '/')}`;
};

export const newMinitool = (io: Io, folderName: string, options: { readonly json?: boolean }): ExitCode => {
  const { json, print, note, printJson } = createPrinter(io, options);
  const folder = resolve(io.cwd, folderName);
  const id = idOf(folder);
  if (id === '') throw new UsageError('The folder’s name becomes the id: it wants a letter or a digit.');
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UsageError(`${folder} is there already, and not empty.`);
  for (const [path, text] of Object.entries(templateFiles({ id, name: nameOf(id), kit: kitFor(folder) }))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const build = buildOf(folder);
  if (build) buildSources(build);
  if (json) printJson({ id, folder });
  else {
    print(folder);
    note(`Run it with: ${programName} minitool dev ${folderName}`);
  }
  return exitCodes.completed;
};

export const doctorMinitool = async (io: Io, folderName: string, options: { readonly json?: boolean }): Promise<ExitCode> => {
  const { json, print, printJson, style } = createPrinter(io, options);
  const folder = resolve(io.cwd, folderName);
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  const findings = await examine(folder);
  const failed = findings.some(({ level }) => level === 'error');
  if (json) printJson({ ok: !failed, findings });
  else {
    for (const { level, file, line, code, what, why } of findings) {
      const paint = level === 'error' ? style.red : style.yellow;
      print(`${paint(level)}  ${printable(file)}:${line}  ${oneLine(what, 200)} (${code})`);
      print(style.dim(`  ${oneLine(why, 400)}`));
    }
    if (findings.length === 0) print('Nothing was found.');
  }
  return failed ? exitCodes.failed : exitCodes.completed;
};

const restMs = 100;

/** Takes the types out again whenever a source has changed. The server starts it anew by what is written. */
const rebuildOnChange = (build: Build, failed: (error: unknown) => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watcher = watch(build.sources, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      try {
        buildSources(build);
      } catch (error) {
        failed(error);
      }
    }, restMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
};

export type DevOptions = { readonly yes?: boolean; readonly build?: boolean };

/** Runs it where it lies, tells its log, and stops it with Ctrl+C. */
export const devMinitool = async (context: CommandContext, folderName: string, options: DevOptions): Promise<ExitCode> => {
  const { client, io, note, print } = context;
  const folder = resolve(io.cwd, folderName);
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  const build = options.build === false ? undefined : buildOf(folder);
  // Watched before it is built: what changes in between is built again.
  const stop = build ? rebuildOnChange(build, (error) => note(oneLine(error instanceof Error ? error.message : String(error), 400))) : () => {};
  try {
    if (build) buildSources(build);
    const { minitool } = await client.minitools.install({ source: `folder:${folder}`, link: true });
    const enabled = await agreeAndEnable(context, minitool, options);
    if (!enabled) return exitCodes.failed;
    reportSettled(context, enabled);
    note('It is started again whenever something changes. Ctrl+C stops it.');
    try {
      await followLog(context, minitool.id, 20, (entry) => (context.json ? context.printJson(entry) : print(logLine(entry))));
    } finally {
      await client.minitools.disable(minitool.id);
      note(`${minitool.id} is disabled. Remove it with: ${programName} minitool remove ${minitool.id}`);
    }
    return exitCodes.completed;
  } finally {
    stop();
  }
};
