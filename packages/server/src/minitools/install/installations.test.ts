/** Files of installations that come and go at the same time. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import type { MinitoolRow } from '../../ports/minitools.ts';
import { settle } from '../../testing/harness/settle.ts';
import { Installations } from './installations.ts';

let folder: string;
let data: string;
let files: Installations;
/** When a row that is read comes. */
let reading: Promise<void>;
let row: Pick<MinitoolRow, 'id' | 'folder'> | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'installations-')));
  data = join(folder, 'data');
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package', 'main.js'), '');
  writeFileSync(join(folder, 'package', 'finch.json'), JSON.stringify({ manifestVersion: 1, id: 'thing', name: 'Thing', main: 'main.js' }));
  row = undefined;
  reading = Promise.resolve();
  files = new Installations(data, async () => {
    const now = row;
    await reading;
    return now as MinitoolRow | undefined;
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = () => files.place({ kind: 'folder', path: join(folder, 'package'), linked: false }, { clock: systemClock, environment: {} });
const tidy = (settled?: string) => files.tidy('thing', settled, (now) => (now ? [now.folder] : 'nothing'));
const placed = () => readdirSync(join(data, 'minitools', 'thing')).toSorted();

it('IF1: that were placed stay, whoever tidies up before it is known what became of them', async () => {
  const old = await place();
  row = old;
  await tidy(old.folder);
  const [first, second] = await Promise.all([place(), place()]);
  expect(first.folder).not.toBe(second.folder);
  await tidy();
  expect(placed()).toEqual(['0.0.0-1', '0.0.0-2', '0.0.0-3']);
  row = first;
  await tidy(first.folder);
  expect([existsSync(first.folder), existsSync(second.folder), existsSync(old.folder)]).toEqual([true, true, false]);
  row = second;
  await tidy(second.folder);
  expect([existsSync(first.folder), existsSync(second.folder)]).toEqual([false, true]);
});

it('IF1: nothing is removed by a row that was read before another was settled', async () => {
  const [first, second] = [await place(), await place()];
  row = first;
  const read = Promise.withResolvers<void>();
  reading = read.promise;
  const slow = tidy(first.folder);
  await settle();
  reading = Promise.resolve();
  row = second;
  const last = tidy(second.folder);
  await settle();
  read.resolve();
  await Promise.all([slow, last]);
  expect(existsSync(second.folder)).toBe(true);
});

it('IF1: of one that is removed go, with all it kept, and not those of the one that comes in its place', async () => {
  const old = await place();
  row = old;
  await tidy(old.folder);
  mkdirSync(join(data, 'minitools', 'thing', 'storage'));
  const anew = await place();
  row = undefined;
  await tidy();
  expect(placed()).toEqual(['0.0.0-2']);
  await tidy(anew.folder);
  expect(readdirSync(join(data, 'minitools'))).toEqual([]);
});

it('IF2: that never came to their place are swept up a day later', async () => {
  const [old, packed, young] = ['.new-a', '.packed-b', '.new-c'].map((name) => join(data, 'minitools', name));
  for (const each of [old, packed, young]) mkdirSync(each as string, { recursive: true });
  const now = Date.now();
  for (const each of [old, packed]) utimesSync(each as string, 0, (now - 25 * 3_600_000) / 1_000);
  await files.sweep(now);
  expect(readdirSync(join(data, 'minitools'))).toEqual(['.new-c']);
});
