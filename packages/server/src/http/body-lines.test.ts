import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { expect, test } from 'vitest';
import { bodyLines } from './body-lines.ts';

async function* pieces(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts;
}
async function* many(count: number, part: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let n = 0; n < count; n += 1) yield part;
}
const all = async (bytes: AsyncIterable<Uint8Array>): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of bodyLines(bytes)) lines.push(line);
  return lines;
};

test('lines are the same, wherever the body is cut', async () => {
  const text = Buffer.from('\n{"a":"é😀"}\r\n\n  \nzwei\ndrei');
  const whole = ['{"a":"é😀"}\r', 'zwei', 'drei'];
  expect(await all(pieces(text))).toEqual(whole);
  for (let at = 1; at < text.length; at += 1) expect(await all(pieces(text.subarray(0, at), text.subarray(at)))).toEqual(whole);
  expect(await all(pieces(...Array.from(text, (byte) => Uint8Array.of(byte))))).toEqual(whole);
  expect(await all(pieces())).toEqual([]);
});

test('BL1: a line that does not end is refused before the body is at its end', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
    for (; ; given += 1) yield Buffer.alloc(1_048_576, 'x');
  }
  await expect(all(endless())).rejects.toMatchObject({ code: 'payload_too_large', details: { limit: limits.archiveLineBytes } });
  expect(given).toBe(limits.archiveLineBytes / 1_048_576);
});

test('BL1: others have their turn while lines are read', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await all(many(200, Buffer.alloc(20_000, '\n')));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

test('a body is no longer than an archive may be', async () => {
  const line = Buffer.alloc(8 * 1_048_576, ' ');
  line[line.length - 1] = 0x0a;
  await expect(all(many(33, line))).rejects.toMatchObject({ code: 'payload_too_large', details: { limit: limits.archiveBytes } });
});
