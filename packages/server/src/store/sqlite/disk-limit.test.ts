/**
 * W8 with a real limit of the operating system: a process whose files may not grow further (as on a full disk) gets
 * errors, loses nothing that was acknowledged, keeps nothing that was refused, and goes on when there is room again.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useTestFolders } from './test-folder.ts';

const folders = useTestFolders();

it.skipIf(process.platform !== 'linux')('W8 a disk without room fails writes whole and is forgiven', () => {
  const folder = join(folders.make(), 'data');
  const child = fileURLToPath(new URL('./test-disk-limit-child.ts', import.meta.url));
  // The signal that comes with the limit ends a process that does not ignore it.
  const run = spawnSync('sh', ['-c', 'trap "" XFSZ; exec "$0" "$@"', process.execPath, child, folder]);
  const report = JSON.parse(run.stdout.toString() || JSON.stringify({ error: run.stderr.toString() })) as Record<string, unknown>;
  expect(report).toMatchObject({
    refused: 'storage_unavailable',
    why: expect.stringContaining('limit on the size of files (ulimit -f: 1500000 bytes)') as unknown,
    ping: 'storage_unavailable',
    readWhileFull: true,
    pingAfter: 'ok',
    wentOn: true,
    missing: [],
    faults: [],
  });
  expect(report['before']).toBeGreaterThan(3);
});
