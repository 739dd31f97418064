import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { inRealTime } from '../testing/tools/in-real-time.ts';
import { createTools } from './create-tools.ts';

test('a definition is refused by each tool that cannot work, also by one whose schema takes too long to compile', async () => {
  const clock = new ManualClock();
  const tools = createTools({ clock });
  const tool = (name: string, inputSchema: object, headers = {}) =>
    ({ type: 'http', name, description: '', inputSchema, request: { method: 'GET', url: 'https://a.example/', headers } }) as const;
  const slow = { type: 'object', properties: Object.fromEntries(Array.from({ length: 2_400 }, (_, at) => [`k${at}`, { pattern: `^${at}` }])) };
  const definition = {
    tools: [tool('slow', slow), tool('odd', { type: 'nonsense' }), tool('fine', { type: 'object', anyOf: [true] }), tool('host', {}, { host: '{{input.h}}' })],
  };
  let faults: readonly { readonly pointer: string; readonly detail: string }[] | undefined;
  void tools.faults(definition as unknown as AgentDefinition).then((found) => {
    faults = found;
  });
  await inRealTime('it was looked at', () => clock.advance(100).then(() => faults !== undefined));
  expect(faults?.[0]).toEqual({ pointer: '/tools/0/inputSchema', detail: 'takes too long to check' });
  expect(faults?.map(({ pointer }) => pointer).filter((pointer) => !pointer.startsWith('/tools/0'))).toEqual(
    expect.arrayContaining(['/tools/1/inputSchema', '/tools/3/request/headers/host']),
  );
  expect(faults?.some(({ pointer }) => pointer.startsWith('/tools/2'))).toBe(false);
  await tools.close();
});
