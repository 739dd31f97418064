/** The Welcome session of a fresh install: killed in mid-answer, its turn goes on by itself to the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createServerProcess, type ServerProcess } from './harness/server-process.ts';

type Turn = { readonly status: string; readonly runs: number; readonly outputText: string };
type Item = { readonly data: { readonly item: { readonly status: string; readonly content: unknown } } };

let server: ServerProcess | undefined;
let folder = '';
afterEach(async () => {
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const until = async <Of>(what: string, read: () => Promise<Of>, done: (value: Of) => boolean): Promise<Of> => {
  for (const end = performance.now() + 90_000; performance.now() < end; await wait(200)) {
    const value = await read();
    if (done(value)) return value;
  }
  throw new Error(`never: ${what}`);
};

test('the tour survives kill -9 in each of its three parts; its tools run once', { timeout: 180_000 }, async () => {
  folder = mkdtempSync(join(tmpdir(), 'tk-welcome-'));
  const process = await createServerProcess({ dataFolder: folder, env: { TURNKEEPER_DEMO: '1' } });
  server = process;
  await process.start();
  const get = async <Of>(path: string): Promise<Of> => {
    const answer = await fetch(`${process.url}/api/v1${path}`, { headers: { authorization: `Bearer ${process.token}` } });
    return (await answer.json()) as Of;
  };
  const { items } = await get<{ items: { id: string; title: string }[] }>('/agent-sessions');
  expect(items.map(({ title }) => title)).toEqual(['Welcome']);
  const session = `/agent-sessions/${items[0]?.id}`;
  const turn = async (): Promise<Turn> => (await get<{ items: Turn[] }>(`${session}/turns`)).items[0] as Turn;
  const said = async (): Promise<string> => JSON.stringify((await get<{ items: Item[] }>(`${session}/snapshot`)).items);
  for (const words of ['Nothing gets lost', 'a real tool call', 'now the best part']) {
    await until(words, said, (text) => text.includes(words));
    expect(await turn()).toMatchObject({ status: 'running' });
    await process.kill();
    await process.start();
  }
  const end = await until('the end', turn, ({ status }) => status === 'completed');
  expect(end.runs).toBe(4);
  const { tools, items: all } = await get<{ tools: { data: { tool: { name: string; status: string } } }[]; items: Item[] }>(`${session}/snapshot`);
  expect([tools.length, JSON.stringify(tools)]).toEqual([2, expect.stringMatching(/time.*calculator/s)]);
  // What was cut off is still there, beside what was said anew.
  expect(all.filter(({ data }) => data.item.status === 'incomplete').length).toBe(3);
  expect(JSON.stringify(all.at(-1))).toContain('(17 + 25) * 3 = **126**');
  expect(JSON.stringify(all.at(-1))).toContain('That was the tour.');
});
