/**
 * `turnkeeper minitool add | enable`: nothing runs before somebody has seen what it may do, and agreed.
 *
 * What is agreed to is sent back as it was shown: what has changed in between is not enabled.
 */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { permissionLines } from '../minitool/permission-lines.ts';
import { settled } from '../minitool/settled.ts';
import { sourceOf } from '../minitool/source-of.ts';
import { oneLine } from '../output/printable.ts';
import { programName } from '../program-name.ts';
import { canAsk, confirmed } from '../prompt.ts';

export type AddOptions = { readonly yes?: boolean };

const install = async ({ client, io }: CommandContext, text: string): Promise<MinitoolDetails> => {
  const given = sourceOf(text, io.cwd);
  switch (given.kind) {
    case 'folder':
      return (await client.minitools.install({ source: `folder:${given.path}` })).minitool;
    case 'file':
      return (await client.minitools.upload(await openAsBlob(given.path), basename(given.path))).minitool;
    case 'npm':
      return (await client.minitools.install({ source: given.source })).minitool;
  }
};

/** Says how it went: a mini-tool that does not run is a failure, whatever is kept of it. */
export const reportSettled = ({ json, print, note, printJson }: CommandContext, minitool: MinitoolDetails): ExitCode => {
  const runs = minitool.activity === 'running' || minitool.activity === 'elsewhere';
  if (json) printJson({ minitool });
  else if (runs) {
    print(`${minitool.id} runs${minitool.activity === 'elsewhere' ? ', on another node' : ''}`);
    for (const { name, title } of minitool.tools) note(`tool ${name}: ${oneLine(title)}`);
    for (const { id, path } of minitool.webhooks) note(`webhook ${id}: ${path}`);
  } else {
    print(`${minitool.id} does not run (${minitool.status}, ${minitool.activity})`);
    note(oneLine(minitool.reason ?? minitool.lastCrash?.reason ?? 'It has not been activated yet.', 400));
    note(`Its log: ${programName} minitool logs ${minitool.id}`);
  }
  return runs ? exitCodes.completed : exitCodes.failed;
};

/** Shows what it may do, asks, and starts it; waits until it runs. Throws UsageError where nobody can be asked. */
export const agreeAndEnable = async (context: CommandContext, minitool: MinitoolDetails, { yes }: AddOptions): Promise<MinitoolDetails | undefined> => {
  const { client, io, note } = context;
  for (const line of permissionLines(minitool)) note(line);
  if (yes !== true && !canAsk(io))
    throw new UsageError(
      `${minitool.id} is installed and not enabled: nobody can be asked here. Agree with: ${programName} minitool enable ${minitool.id} --yes`,
    );
  if (!(await confirmed(io, `Enable ${minitool.id}?`, yes))) {
    note(`Installed, not enabled. Enable it with: ${programName} minitool enable ${minitool.id}`);
    return undefined;
  }
  await client.minitools.enable(minitool.id, minitool.permissions);
  return settled(context, minitool.id);
};

export const addMinitool = async (context: CommandContext, text: string, options: AddOptions): Promise<ExitCode> => {
  const installed = await install(context, text);
  // A version that asks for nothing new goes on as before.
  if (installed.status === 'enabled') return reportSettled(context, await settled(context, installed.id));
  const enabled = await agreeAndEnable(context, installed, options);
  return enabled ? reportSettled(context, enabled) : exitCodes.failed;
};

export const enableMinitool = async (context: CommandContext, id: string, options: AddOptions): Promise<ExitCode> => {
  const { minitool } = await context.client.minitools.get(id);
  const enabled = await agreeAndEnable(context, minitool, options);
  return enabled ? reportSettled(context, enabled) : exitCodes.failed;
};
