/** Lines of a channel, however they are cut into pieces. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { settle } from '../../testing/harness/settle.ts';
import { readLines } from './message-lines.ts';
import { eachLine } from './output-lines.ts';
import { everythingBut, permissionFlags } from './permission-flags.ts';
import { TokenBucket } from './token-bucket.ts';

const read = ({ bytesPerSecond = 1_000_000, ...limits }: Partial<Parameters<typeof readLines>[2]> & { readonly bytesPerSecond?: number } = {}) => {
  const clock = new ManualClock();
  const stream = new PassThrough();
  const messages: unknown[] = [];
  const broken: string[] = [];
  readLines(
    stream,
    clock,
    { maxBytes: 1_000, perSecond: 1_000, burst: 1_000, bytes: new TokenBucket(clock, bytesPerSecond, bytesPerSecond), ...limits },
    { message: (each) => messages.push(each), broken: (why) => broken.push(why) },
  );
  return { clock, stream, messages, broken };
};
const notice = (n: number): string => `${JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { message: `ü${n}` } })}\n`;

it('are whole, one byte at a time or all at once', async () => {
  const { stream, messages, broken } = read();
  for (const byte of Buffer.from(notice(1))) stream.write(Buffer.from([byte]));
  stream.write(notice(2) + notice(3));
  await settle();
  expect(messages).toMatchObject([1, 2, 3].map((n) => ({ params: { message: `ü${n}` } })));
  expect(broken).toEqual([]);
});

it('ML1: that are too long end the reading before they end themselves', async () => {
  const { stream, messages, broken } = read();
  stream.write(notice(1));
  stream.write('x'.repeat(1_001));
  await settle();
  expect(broken).toEqual(['a message of more than 1000 bytes']);
  expect(messages).toHaveLength(1);
  expect(stream.destroyed).toBe(true);
});

it('ML2: that come too fast wait, and none is lost', async () => {
  const { clock, stream, messages } = read({ perSecond: 100, burst: 10 });
  for (let n = 0; n < 30; n += 1) stream.write(notice(n));
  await settle();
  expect(messages).toHaveLength(10);
  await clock.advance(100);
  expect(messages.length).toBeGreaterThanOrEqual(15);
  expect(messages.length).toBeLessThan(30);
  await clock.advance(1_000);
  expect(messages).toMatchObject(Array.from({ length: 30 }, (_, n) => ({ params: { message: `ü${n}` } })));
});

it('ML2: that are too large for their number wait, too', async () => {
  const bytesPerSecond = notice(10).length * 10;
  const { clock, stream, messages, broken } = read({ bytesPerSecond });
  for (let n = 10; n < 40; n += 1) stream.write(notice(n));
  await settle();
  expect(messages.length).toBeGreaterThanOrEqual(9);
  expect(messages.length).toBeLessThanOrEqual(11);
  await clock.advance(1_000);
  expect(messages.length).toBeLessThanOrEqual(22);
  await clock.advance(2_000);
  expect(messages).toMatchObject(Array.from({ length: 30 }, (_, n) => ({ params: { message: `ü${n + 10}` } })));
  expect(broken).toEqual([]);
});

it('that are printed too fast wait, and none is lost', async () => {
  const clock = new ManualClock();
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  const lines: string[] = [];
  eachLine(stream, clock, new TokenBucket(clock, 1_000, 1_000), (line) => lines.push(line));
  const text = 'x'.repeat(99);
  for (let n = 0; n < 30; n += 1) stream.write(`${text}\n`);
  await settle();
  expect(lines).toHaveLength(10);
  await clock.advance(1_000);
  expect(lines.length).toBeLessThanOrEqual(21);
  await clock.advance(2_000);
  expect(lines).toEqual(Array.from({ length: 30 }, () => text));
  stream.destroy();
  await settle();
  expect(clock.waiting).toBe(0);
});

it.each(['hello', '[]', 'null', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","method":"a"}', '{"jsonrpc":"2.0","id":1,"result":1,"more":1}'])(
  'ML3: %s is no message',
  async (line) => {
    const { stream, broken, messages } = read();
    stream.write(`${line}\n${notice(1)}`);
    await settle();
    expect(broken).toHaveLength(1);
    expect(messages).toEqual([]);
  },
);

const disk: Readonly<Record<string, readonly string[]>> = { '/': ['etc', 'proc', 'dev', 'sys', 'srv'], '/srv': ['data', 'other', 'a,b'] };
const folders = { extension: '/x/own', storage: '/x/s', outbox: '/x/o', inbox: '/x/i', runtime: ['/r'], data: '/srv/data' };

it('PF2: everything but the data folder is everything beside its ancestors', () => {
  const all = everythingBut('/srv/data', (folder) => disk[folder] ?? []);
  expect(all).toEqual(['/srv/other', '/etc', '/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']);
});

it('PF1: flags follow the permissions', () => {
  const none = permissionFlags({ filesystem: 'none', network: false, shell: false }, folders);
  expect(none).toEqual(
    expect.arrayContaining(['--permission', '--allow-fs-read=/x/own', '--allow-fs-write=/x/s', '--no-experimental-sqlite', '--max-old-space-size=256']),
  );
  expect(none.filter((flag) => /net|child|worker|addons$|ffi$/.test(flag))).toEqual(['--no-addons', '--no-experimental-ffi']);
  expect(none.filter((flag) => flag.startsWith('--allow-fs-write'))).toEqual(['--allow-fs-write=/x/s', '--allow-fs-write=/x/o']);
  const all = permissionFlags({ filesystem: 'none', network: true, shell: true }, folders);
  expect(all).toEqual(expect.arrayContaining(['--allow-net', '--allow-child-process']));
});
