/** The log of a mini-tool, as a file and as it is read. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logEntry, MinitoolLog } from './logs.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'minitool-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = Date.parse('2026-01-02T03:04:05.006Z');
const open = () => {
  const path = join(folder, 'log', 'current.log');
  return { path, log: new MinitoolLog(path, { now: () => at }) };
};

it('LG1: an entry is its time, its level and the message as it was said', () => {
  expect(logEntry(at, 'warn', '{"a":"b\\n"} ü')).toBe('2026-01-02T03:04:05.006Z warn {"a":"b\\n"} ü\n');
  expect(logEntry(at, 'info', '\u001b[31mred\u001b[0m \u001b[2Jgone \u0007')).toBe('2026-01-02T03:04:05.006Z info red \u241b[2Jgone \u2407\n');
});

it('LG1: no line of a message looks like an entry', async () => {
  const { log, path } = open();
  const forged = `first\n2026-01-02T03:04:05.006Z error forged`;
  log.write('info', forged);
  log.write('info', 'second');
  expect(await log.tail(10)).toEqual([
    { time: '2026-01-02T03:04:05.006Z', level: 'info', message: forged },
    { time: '2026-01-02T03:04:05.006Z', level: 'info', message: 'second' },
  ]);
  expect(readFileSync(path, 'utf8').split('\n')[1]).toBe('  2026-01-02T03:04:05.006Z error forged');
  expect((await log.tail(1)).map(({ message }) => message)).toEqual(['second']);
});

it('tells entries as they come, until that is ended', async () => {
  const { log } = open();
  const heard: string[] = [];
  const end = log.follow(({ message }) => heard.push(message));
  log.write('info', 'one');
  end();
  log.write('info', 'two');
  await log.flushed();
  expect(heard).toEqual(['one']);
});

it('LG2: two files are kept, and what comes too fast is left out and said so', async () => {
  const { log, path } = open();
  for (let n = 0; n < 300; n += 1) {
    log.write('info', `${n} ${'x'.repeat(10_000)}`);
    if (n % 20 === 0) await log.flushed();
  }
  await log.flushed();
  expect(statSync(path).size).toBeLessThanOrEqual(1_100_000);
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(1_100_000);
  expect((await log.tail(1))[0]?.message).toMatch(/^299 /);
  for (let n = 0; n < 200; n += 1) log.write('info', 'y'.repeat(10_000));
  await log.flushed();
  expect((await log.tail(1))[0]?.message).toMatch(/^\d+ entries were left out/);
});
