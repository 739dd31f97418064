/** `turnkeeper doctor`: what is wrong with this set-up, and what to do about it. Exits 1 when something does not work. */
import { createClient } from '@turnkeeper/client/create-client';
import { type CommonOptions, createPrinter, type Printer } from '../command-context.ts';
import { type Credential, findCredential, findUrl } from '../connect.ts';
import { dataFolder, localServer } from '../data-folder.ts';
import { checkModels, checkStream, checkToken, type OpenStream } from '../doctor/check-account.ts';
import { checkFiles } from '../doctor/check-files.ts';
import { checkDisk, checkFolder, checkLock, checkNode } from '../doctor/check-machine.ts';
import { checkClock, checkConsole, checkReady, reachServer } from '../doctor/check-server.ts';
import { type Finding, fail, messageOf } from '../doctor/finding.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { credentialAdvice } from '../explain-error.ts';
import type { Io } from '../io.ts';
import { oneLine } from '../output/printable.ts';
import { programName, startCommand } from '../program-name.ts';

/** Of a server elsewhere the folder here says nothing. */
const machineFindings = (folder: string, url: string | undefined): readonly Finding[] => {
  const isHere = url === undefined || localServer(folder)?.url.replace(/\/+$/, '') === url;
  const here = checkFolder(folder);
  return [checkNode(process.versions.node), ...(isHere ? [here, ...(here.status === 'fail' ? [] : [checkLock(folder), checkDisk(existing(folder))])] : [])];
};

/** The disk of a folder that is to be made is that of the one above it. */
const existing = (folder: string): string => (checkFolder(folder).detail === folder ? folder : process.cwd());

const opener =
  (url: string, { token, apiKey }: Credential): OpenStream =>
  async (path, signal) => {
    const credentials: Record<string, string> = token === undefined ? { 'x-api-key': apiKey ?? '' } : { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}${path}`, { headers: { accept: 'text/event-stream', ...credentials }, signal });
    const type = response.headers.get('content-type') ?? 'nothing';
    if (!response.ok || !type.startsWith('text/event-stream')) throw new Error(`answered ${response.status}, ${type}`);
    return response;
  };

const accountFindings = async (io: Io, url: string, options: CommonOptions): Promise<readonly Finding[]> => {
  const credential = findCredential(io, url, options);
  if (!credential) return [fail('credential', `none for ${url}`, `Sign in with: ${programName} login, or set TURNKEEPER_TOKEN.`)];
  const { source, ...secret } = credential;
  const client = createClient({ baseUrl: url, ...secret });
  const token = await checkToken(client, credentialAdvice(source, url));
  return token.status === 'fail' ? [token] : [token, await checkModels(client), await checkStream(client, opener(url, credential))];
};

const serverFindings = async (io: Io, url: string, options: CommonOptions): Promise<readonly Finding[]> => {
  const { finding, response, askedAt } = await reachServer(url);
  if (!response || finding.status === 'fail') return [finding];
  const clock = checkClock(response.headers.get('date'), askedAt);
  return [finding, clock, await checkReady(url), await checkConsole(url), ...(await accountFindings(io, url, options))];
};

const urlOf = (io: Io, options: CommonOptions): string | Finding => {
  try {
    return findUrl(io, options);
  } catch (error) {
    return fail('server', messageOf(error).split('\n')[0] ?? '', `Start one with: ${startCommand}, or set TURNKEEPER_URL.`);
  }
};

/** Only where a server would start at all: `config` says what else is wrong. */
const fileFindings = async (io: Io, folder: string): Promise<readonly Finding[]> => {
  const { filesAreApart, readConfig } = await import('@turnkeeper/server/config');
  try {
    const config = readConfig({ data: folder }, io.env);
    return [checkFiles(config, filesAreApart(config))];
  } catch {
    return [];
  }
};

const report = ({ print, style }: Printer, findings: readonly Finding[]): void => {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const paint = { ok: style.green, warn: style.yellow, fail: style.red };
  for (const { check, status, detail, advice } of findings) {
    print(`${paint[status](status.padEnd(4))}  ${check.padEnd(width)}  ${oneLine(detail, 200)}`);
    if (advice !== undefined) print(style.dim(`${' '.repeat(width + 8)}${advice}`));
  }
};

export const doctor = async (io: Io, options: CommonOptions): Promise<ExitCode> => {
  const printer = createPrinter(io, options);
  const url = urlOf(io, options);
  const folder = dataFolder(io, options.data);
  const here = machineFindings(folder, typeof url === 'string' ? url : undefined);
  const files = here.length > 1 ? await fileFindings(io, folder) : [];
  const findings = [...here, ...files, ...(typeof url === 'string' ? await serverFindings(io, url, options) : [url])];
  const failed = findings.some(({ status }) => status === 'fail');
  if (printer.json) printer.printJson({ ok: !failed, findings });
  else report(printer, findings);
  return failed ? exitCodes.failed : exitCodes.completed;
};
