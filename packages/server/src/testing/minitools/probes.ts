/** A mini-tool whose one tool tries what it is told to, and says how that ended: `ok …`, or the code of the error. */
export const probing = `
import fs from 'node:fs';
import os from 'node:os';
import net from 'node:net';
import dns from 'node:dns/promises';
import v8 from 'node:v8';
import { kill } from 'node:process';
import { setPriority } from 'node:os';

const connect = (port) => new Promise((resolve, reject) => net.connect(port, '127.0.0.1').on('connect', () => resolve('connected')).on('error', reject));
const probes = {
  read: (path) => fs.readFileSync(path, 'utf8').length,
  list: (path) => fs.readdirSync(path).length,
  write: (path) => fs.writeFileSync(path, 'x'),
  link: ([target, path]) => fs.symlinkSync(target, path),
  copyFolder: (path) => fs.cpSync(path, path + '-copy', { recursive: true, verbatimSymlinks: true }),
  connect,
  listen: () => new Promise((resolve, reject) => net.createServer().on('error', reject).listen(0, '127.0.0.1', function () { this.close(); resolve('listens'); })),
  fetch: (port) => fetch('http://127.0.0.1:' + port + '/').catch((error) => { throw error.cause ?? error; }),
  lookup: () => dns.lookup('localhost'),
  program: async () => (await import('node:child_process')).execFileSync('/bin/echo', ['hello']).toString(),
  background: async () => { const child = (await import('node:child_process')).spawn('/bin/sleep', ['300']); return child.pid; },
  worker: async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
  addon: () => process.dlopen({ exports: {} }, '/nowhere.node'),
  sqlite: async (path) => new (await import('node:sqlite')).DatabaseSync(path),
  ffi: () => import('node:ffi'),
  inspector: async () => (await import('node:inspector')).open(0),
  killParent: () => process.kill(process.ppid, 'SIGTERM'),
  killImported: () => kill(process.ppid, 'SIGTERM'),
  killRaw: () => process._kill(process.ppid, 15),
  debugParent: () => process._debugProcess(process.ppid),
  priority: () => setPriority(process.ppid, 19),
  priorityDefault: () => os.setPriority(process.ppid, 19),
  flags: () => v8.setFlagsFromString('--max-old-space-size=4096'),
  user: () => process.setuid(65534),
  environment: () => JSON.stringify({ ...process.env }),
  folder: () => process.cwd(),
  own: () => fs.readFileSync(new URL('./finch.json', import.meta.url), 'utf8').length,
};

export function activate(ctx) {
  const storage = ctx.storagePath;
  probes.storage = () => { fs.writeFileSync(storage + '/kept.txt', 'x'); return fs.readFileSync(storage + '/kept.txt', 'utf8'); };
  ctx.tools.register({
    name: 'try',
    title: 'Try',
    description: 'Tries something',
    inputSchema: { type: 'object' },
    async execute({ what, about }) {
      let text;
      try {
        text = 'ok ' + (await probes[what](about));
      } catch (error) {
        text = error.code ?? error.message;
      }
      return { content: [{ type: 'text', text }] };
    },
  });
}
`;
