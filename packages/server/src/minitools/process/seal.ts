/**
 * Loaded into a mini-tool's process before anything else: takes away what Node's permission model leaves to every program.
 *
 * SL1 Signals, priorities and the debugger of other processes are refused: the permission model does not look at them, and the
 *     server is a process of the same user. The refusal carries `ERR_ACCESS_DENIED`, as Node's own do.
 * SL2 The engine's flags stay as they are: the limit of the heap is one of them.
 * SL4 Folders are not copied by `cpSync`: its native part makes links that the permission model never looked at, and a link that
 *     leads out of a folder opens what it leads to.
 * SL3 When the channel to the server closes the process ends: a server that was killed leaves none behind that listens to it.
 *
 * It is a seat belt like the permission model itself. A mini-tool with `shell` can start a program that does all this, so there only
 * SL2 and SL3 hold.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import v8 from 'node:v8';

const refused = (what: string): Error => Object.assign(new Error(`A mini-tool may not ${what}.`), { code: 'ERR_ACCESS_DENIED', permission: 'MiniTool' });

const put = (on: object, name: string, value: unknown): void => {
  if (name in on) Object.defineProperty(on, name, { value, writable: false, configurable: false, enumerable: true });
};

const mayStartPrograms = process.permission?.has('child') ?? true;

if (!mayStartPrograms) {
  const kill = process.kill.bind(process);
  put(process, 'kill', (pid: number, signal?: string | number): true => {
    if (pid !== process.pid) throw refused('send signals to other processes');
    return kill(process.pid, signal);
  });
  put(process, '_kill', () => {
    throw refused('send signals to other processes');
  });
  put(process, '_debugProcess', () => {
    throw refused('debug other processes');
  });
  put(process, '_debugEnd', () => undefined);
  put(os, 'setPriority', () => {
    throw refused('change priorities');
  });
}

put(v8, 'setFlagsFromString', () => {
  throw refused('change flags of the engine');
});

for (const name of ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'])
  put(process, name, () => {
    throw refused('change its user');
  });

const copySync = fs.cpSync;
put(fs, 'cpSync', (from: string | URL, to: string | URL, options: fs.CopySyncOptions = {}): void => {
  if (options.recursive) throw refused('copy a folder with cpSync: fs.promises.cp does it');
  copySync(from, to, { ...options, recursive: false });
});

syncBuiltinESMExports();
process.on('disconnect', () => process.exit());
