/**
 * The client as others get it: built, outside of the workspace, on the machine's own Node instead of ours, with the
 * example of the README, against a server that runs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { read, root } from './repository.ts';

const exampleMs = 60_000;
const example = 'examples/ten-lines.ts';
const packages = ['core', 'client'] as const;

export type Check = { readonly name: string; readonly fault?: string };

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The first `node` in PATH that no `node_modules` brought along. */
const machinesNode = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .find(isExecutable);

const build = (): void => {
  for (const name of packages) execFileSync('npm', ['run', '--silent', 'build', '-w', `@turnkeeper/${name}`], { cwd: root, stdio: ['ignore', 2, 2] });
};

/** A folder with the built packages and zod installed, and nothing else. */
const install = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-client-'));
  mkdirSync(join(folder, 'node_modules', '@turnkeeper'), { recursive: true });
  for (const name of packages) cpSync(join(root, 'packages', name, 'dist', 'npm'), join(folder, 'node_modules', '@turnkeeper', name), { recursive: true });
  symlinkSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
  writeFileSync(join(folder, 'example.ts'), read(example));
  writeFileSync(join(folder, 'example.mjs'), stripTypeScriptTypes(read(example)));
  return folder;
};

const runExample = (folder: string, url: string, token: string): Check => {
  const node = machinesNode();
  const name = 'the built client runs the example of the README on the machine’s Node';
  if (node === undefined) return { name, fault: 'there is no node in PATH beside the one in node_modules: install Node 20' };
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const env = { PATH: dirname(node), TURNKEEPER_URL: url, TURNKEEPER_TOKEN: token };
  const { status, stdout, stderr } = spawnSync(node, ['example.mjs'], { cwd: folder, env, encoding: 'utf8', timeout: exampleMs });
  const lines = stdout.trim().split('\n');
  const isRight = status === 0 && lines.includes('turn.completed') && !['', 'undefined', 'null', 'turn.completed'].includes(lines.at(-1) ?? '');
  return { name: `${name} (${version})`, ...(isRight ? {} : { fault: `exit ${status}\n${stdout}${stderr}` }) };
};

/** Another's compiler reads our declarations. */
const checkTypes = (folder: string): Check => {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.asynciterable'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, ...types, 'example.ts'], { cwd: folder, encoding: 'utf8' });
  return { name: 'the declarations of the built client type-check', ...(status === 0 ? {} : { fault: stdout }) };
};

/** All that is loaded with a file, by its static imports. */
const loadedBy = (file: string, folder: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"=;]*["']([^"'\n]+)["'];$/gm)) {
    const path = name.startsWith('.') ? join(dirname(file), name) : join(folder, 'node_modules', `${name}.js`);
    if (name.startsWith('.') || name.startsWith('@turnkeeper/')) loadedBy(path, folder, seen);
    else seen.add(name);
  }
  return seen;
};

/** Browsers load it: it is to be a few kilobytes, not a validator's forty. */
const checkWeight = (folder: string): Check => {
  const loaded = [...loadedBy(join(folder, 'node_modules', '@turnkeeper', 'client', 'create-client.js'), folder)];
  const outside = loaded.filter((path) => !path.startsWith(folder));
  const name = 'the client loads no package but its own';
  return { name, ...(loaded.length > 20 && outside.length === 0 ? {} : { fault: `${loaded.length} files, ${outside.join(', ')}` }) };
};

export const checkBuiltClient = (url: string, token: string): readonly Check[] => {
  build();
  const folder = install();
  try {
    return [runExample(folder, url, token), checkTypes(folder), checkWeight(folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
