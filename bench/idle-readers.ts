/** What do open streams cost while nothing happens? Memory and CPU of the server with 10,000 readers, and afterwards. */
import { parseArgs } from 'node:util';
import { cpuMs, rssMb, startService } from './lib/child.ts';
import { openStream } from './lib/http.ts';
import { report } from './lib/report.ts';
import { round } from './lib/stats.ts';
import { auth, makeAgent, post } from './lib/targets.ts';

const { values } = parseArgs({ options: { readers: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '30' } } });
const readers = Number(values.readers);
const seconds = Number(values.seconds);
const child = await startService();
const agent = await makeAgent(child, 'idle', 'demo:tokens:1');
const sessions = await Promise.all(Array.from({ length: 100 }, () => post<{ id: string }>(child, '/api/v1/agent-sessions', { agent })));
const base = rssMb(child.pid);
const streams: { readonly close: () => void }[] = [];
for (let n = 0; n < readers; n += 100) {
  const open = sessions.map((session) => openStream(`${child.url}/api/v1/agent-sessions/${session.id}/events/stream`, auth, () => {}));
  streams.push(...(await Promise.all(open)));
}
const full = rssMb(child.pid);
const cpu = cpuMs(child.pid);
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
const percent = (cpuMs(child.pid) - cpu) / (seconds * 10);
const settled = rssMb(child.pid);
for (const stream of streams) stream.close();
await new Promise((resolve) => setTimeout(resolve, 5_000));
const after = rssMb(child.pid);
await child.stop();
report(`${readers} idle readers`, [
  { what: 'RSS before, MB', value: round(base, 0) },
  { what: 'RSS with all open, MB', value: round(full, 0) },
  { what: `RSS after ${seconds} s, MB`, value: round(settled, 0) },
  { what: 'over the base, MB', value: round(Math.max(full, settled) - base, 0) },
  { what: 'CPU while idle, %', value: round(percent, 2) },
  { what: 'RSS 5 s after they left, MB', value: round(after, 0) },
]);
process.exit(0);
