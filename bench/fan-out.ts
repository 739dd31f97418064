/**
 * One session, many readers: how many deliveries a second, and does every reader get every event? Against plain Node
 * writing the same number of frames of the same size to as many sockets in the same run (each as a call of its own).
 */
import { createServer, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { cpuMs, startService } from './lib/child.ts';
import { call, openStream } from './lib/http.ts';
import { report } from './lib/report.ts';
import { round } from './lib/stats.ts';
import { auth, makeAgent, post } from './lib/targets.ts';

const { values } = parseArgs({ options: { readers: { type: 'string', default: '1000' }, turns: { type: 'string', default: '30' } } });
const readers = Number(values.readers);
const turns = Number(values.turns);

const countFrames = () => {
  let bytes = 0;
  let frames = 0;
  return {
    data: (piece: Buffer): void => {
      bytes += piece.length;
      // A frame ends with an empty line; JSON has no raw line breaks, so two in a row are nothing else.
      for (let at = piece.indexOf('\n\n'); at !== -1; at = piece.indexOf('\n\n', at + 2)) frames += 1;
    },
    get frames() {
      return frames;
    },
    get bytes() {
      return bytes;
    },
  };
};

const service = async () => {
  const child = await startService();
  const agent = await makeAgent(child, 'fan', 'demo:tokens:20');
  const session = await post<{ id: string }>(child, '/api/v1/agent-sessions', { agent });
  const base = `${child.url}/api/v1/agent-sessions/${session.id}`;
  const counters = Array.from({ length: readers }, countFrames);
  const streams = await Promise.all(counters.map((counter) => openStream(`${base}/events/stream?after=latest`, auth, counter.data)));
  const cpu = cpuMs(child.pid);
  const from = performance.now();
  for (let n = 0; n < turns; n += 1) {
    const { id } = await post<{ id: string }>(child, `/api/v1/agent-sessions/${session.id}/turns`, { message: 'go' }, `k${n}`);
    await call(`${base}/turns/${id}?wait=60`, { headers: auth });
  }
  const page = JSON.parse((await call(`${base}/events?limit=1000`, { headers: auth })).body) as { data: unknown[]; has_more: boolean };
  const expected = page.data.length - 1;
  const deadline = performance.now() + 20_000;
  while (counters.some((counter) => counter.frames < expected) && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 2));
  const elapsed = performance.now() - from;
  const used = cpuMs(child.pid) - cpu;
  const delivered = counters.reduce((sum, counter) => sum + Math.min(counter.frames, expected), 0);
  const bytes = counters[0]?.bytes ?? 0;
  for (const stream of streams) stream.close();
  await child.stop();
  return {
    expected,
    delivered,
    elapsed,
    used,
    frameBytes: Math.round(bytes / expected),
    complete: counters.filter((counter) => counter.frames >= expected).length,
  };
};

const plain = async (frames: number, size: number) => {
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = address && typeof address === 'object' ? `http://127.0.0.1:${address.port}` : '';
  const counters = Array.from({ length: readers }, countFrames);
  const streams = await Promise.all(counters.map((counter) => openStream(url, {}, counter.data)));
  const frame = Buffer.from(`${'x'.repeat(size - 2)}\n\n`);
  const from = performance.now();
  for (let n = 0; n < frames; n += 1) {
    for (const response of open) response.write(frame);
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (counters.some((counter) => counter.frames < frames)) await new Promise((resolve) => setTimeout(resolve, 2));
  const elapsed = performance.now() - from;
  for (const stream of streams) stream.close();
  server.closeAllConnections();
  server.close();
  return { delivered: frames * readers, elapsed };
};

const ours = await service();
const floor = await plain(ours.expected, ours.frameBytes);
report(`Fan-out to ${readers} readers`, [
  {
    system: 'turnkeeper',
    'deliveries/s': round((ours.delivered * 1_000) / ours.elapsed, 0),
    'events each': ours.expected,
    'readers with all': ours.complete,
    'server CPU ms': round(ours.used, 0),
  },
  {
    system: 'plain Node (client in the same process)',
    'deliveries/s': round((floor.delivered * 1_000) / floor.elapsed, 0),
    'events each': ours.expected,
    'readers with all': readers,
    'server CPU ms': '',
  },
]);
process.exit(0);
