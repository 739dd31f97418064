/**
 * The real server, in a process of its own that a test may kill, with one more tool: `append` writes a line for its call
 * into a file and syncs it, so that what it did outlives the process, as an effect in the world does.
 *
 * `LEASE_MS` sets the node's lease, `CLOCK_OFFSET_MS` puts the process's clock wrong.
 */
// First: what is imported after it sees the clock that is wrong.
import './wrong-clock.ts';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../config.ts';
import { startServer } from '../../main.ts';
import type { Tool } from '../../ports/tool.ts';

const file = process.env['EFFECTS_FILE'] ?? '';

const append: Tool = {
  spec: { name: 'append', description: 'appends a line', inputSchema: { type: 'object' } },
  replaySafe: false,
  readOnly: false,
  timeoutMs: 60_000,
  run: async (input, { turnId, callId }) => {
    await wait(Number(input['before_ms'] ?? 0));
    const fd = openSync(file, 'a');
    writeSync(fd, `${turnId} ${callId}\n`);
    fsyncSync(fd);
    closeSync(fd);
    await wait(Number(input['after_ms'] ?? 0));
    return { output: [{ type: 'text', text: 'appended' }], isError: false };
  },
};

const server = await startServer(readConfig({}), (line) => void process.stdout.write(`${line}\n`), {
  tools: [append],
  ...(process.env['LEASE_MS'] ? { leaseMs: Number(process.env['LEASE_MS']) } : {}),
});
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
