#!/usr/bin/env node
/**
 * The `turnkeeper` command: finds the Node that Turnkeeper needs, then runs the command line on it.
 *
 * Plain JavaScript of Node 20, because this file is what an older Node gets to see; to import by name what that one does
 * not export would be an error already. Under npm scripts and npx it usually runs on the right Node: npm puts
 * `node_modules/.bin` first in PATH, and the package `node-linux-<arch>` puts a `node` there.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import * as module from 'node:module';
import { constants as os } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const neededMajor = 26;
/** Set for the second process: if that one is too old as well, it must not look for a third. */
const marker = 'TURNKEEPER_NODE_FOUND';

/** The nearest `node_modules/.bin/node` above this file that is not the Node that runs now. */
const bundledNode = () => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '.bin', 'node');
    try {
      accessSync(candidate, constants.X_OK);
      if (realpathSync(candidate) !== realpathSync(process.execPath)) return candidate;
    } catch {
      // Not here: look one folder up.
    }
    if (folder === dirname(folder)) return undefined;
  }
};

const explain = () => {
  process.stderr.write(
    `Turnkeeper needs Node ${neededMajor} or newer; this is Node ${process.versions.node} (${process.execPath}).\n` +
      'On Linux, "npm ci" in the checkout brings it along (optional dependencies must not be left out).\n' +
      `On macOS and Windows, install Node ${neededMajor} first.\n`,
  );
  process.exitCode = 1;
};

/**
 * Runs the same command on another Node, in the foreground: same terminal, same arguments, its exit code is ours.
 * A terminal sends Ctrl-C to both processes; passing it on as well would count as a second one, which ends a server
 * at once instead of letting it drain.
 */
const runOn = (node) => {
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, [marker]: '1' },
  });
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal === 'SIGTERM' || !onTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`Cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (os.signals[signal] ?? 0);
  });
};

/**
 * npm and npx run a command through a shell, and pass a SIGTERM on to the shell only: it ends, and the command goes on
 * without a parent, a server with its data folder still taken. So losing the parent counts as the SIGTERM that was meant.
 */
const followParent = () => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
};

if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') followParent();

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  delete process.env[marker];
  // Our sources are TypeScript: what was made of them is kept for the next start, which is faster and smaller by that.
  module.enableCompileCache();
  const { programFile } = await import('../src/bundle.ts');
  await import(pathToFileURL(programFile()).href);
} else {
  const node = process.env[marker] === undefined ? bundledNode() : undefined;
  if (node === undefined) explain();
  else runOn(node);
}
