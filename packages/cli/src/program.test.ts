import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';
import { runCli } from './run-cli.ts';
import { createFakeIo } from './testing/fake-io.ts';

const program = createProgram(createFakeIo().io, () => {});
const leaves = (command: Command, path: string): { path: string; command: Command }[] =>
  command.commands.length === 0 ? [{ path, command }] : command.commands.flatMap((each) => leaves(each, `${path} ${each.name()}`));
const all = program.commands.flatMap((command) => leaves(command, command.name()));

test('docs/terminal.md lists every command, in the order and with the words of the help', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/terminal.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z -]+)` \| (.+) \|$/gm)].map(([, path, description]) => `${path}: ${description}`);
  expect(rows).toEqual(all.map(({ path, command }) => `${path}: ${command.description()}`));
});

test('every command that talks to a server takes --json and --url, and every argument is explained', () => {
  for (const { path, command } of all) {
    const options = command.options.map(({ long }) => long);
    if (!['serve', 'config', 'completion', 'migrate', 'backup', 'minitool new', 'minitool doctor'].includes(path))
      expect(options, path).toEqual(expect.arrayContaining(['--json', '--url', '--data']));
    for (const argument of command.registeredArguments) if (!argument.argChoices) expect(argument.description, path).not.toBe('');
    expect(
      command.options.filter(({ description, hidden }) => description === '' && !hidden),
      path,
    ).toEqual([]);
  }
  expect(all.length).toBeGreaterThan(45);
});

const complete = (script: string, line: string): string[] => {
  const ask = `${script}\nCOMP_WORDS=(${line} "$1"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _turnkeeper; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', ask, 'bash', ''], { encoding: 'utf8' }).trim().split('\n');
};

test('completion knows commands, their commands and their options', async () => {
  const { io, out } = createFakeIo();
  expect(await runCli(['completion', 'bash'], io)).toBe(0);
  expect(complete(out.text, 'turnkeeper')).toEqual(expect.arrayContaining(['serve', 'keys', 'doctor', '--help']));
  expect(complete(out.text, 'turnkeeper keys')).toEqual(expect.arrayContaining(['ls', 'create', 'rotate', 'revoke']));
  expect(complete(out.text, 'turnkeeper keys create --app x')).toContain('--scopes');
  expect(complete(out.text, 'turnkeeper tail @last')).toContain('--until');
  expect(complete(out.text, 'turnkeeper workflow')).toEqual(expect.arrayContaining(['validate', 'publish', 'run', 'graph']));
  // Three words deep, too.
  expect(complete(out.text, 'turnkeeper minitool secret')).toEqual(expect.arrayContaining(['set', 'rm']));
  expect(complete(out.text, 'turnkeeper minitool secret set x')).toContain('--json');
  for (const shell of ['zsh', 'fish']) {
    const other = createFakeIo();
    expect(await runCli(['completion', shell], other.io)).toBe(0);
    expect(other.out.text).toContain('--scopes');
  }
  expect(await runCli(['completion', 'tcsh'], createFakeIo().io)).toBe(2);
});

test('help shows examples, and the sum of it what servers, credentials and exit codes are', async () => {
  const { io, out } = createFakeIo();
  expect(await runCli(['keys', 'create', '--help'], io)).toBe(0);
  expect(out.text).toMatch(/Examples:\n {2}turnkeeper keys create --app/);
  const whole = createFakeIo();
  await runCli(['--help'], whole.io);
  expect(whole.out.text).toMatch(/TURNKEEPER_API_KEY[\s\S]*130 detached/);
  expect(await runCli(['keys'], createFakeIo().io)).toBe(2);
  expect(await runCli(['keys', 'burn'], createFakeIo().io)).toBe(2);
});

test('a slip in a command of a group is an unknown command, also where the group alone lists', async () => {
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  expect(groups.length).toBeGreaterThan(8);
  for (const group of groups) {
    const meant = group.commands.at(-1)?.name() ?? '';
    const { io, err } = createFakeIo();
    expect(await runCli([group.name(), `${meant}x`, '--some', 'thing'], io)).toBe(2);
    expect(err.text, group.name()).toContain(`error: unknown command '${meant}x'\n(Did you mean ${meant}?)`);
  }
});

test('--version and -V print the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  for (const flag of ['--version', '-V']) {
    const { io, out } = createFakeIo();
    expect(await runCli([flag], io)).toBe(0);
    expect(out.text).toBe(`${version}\n`);
  }
});
