import type { ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { expect, test } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { createTools } from '../tools/builtin-tools.ts';
import { createToolSet } from './tool-set.ts';

const lookup: ToolDefinition = { type: 'function', name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } };
const set = createToolSet({ system: '', model: 'demo:echo', maxIters: 1, tools: [lookup], permissionMode: 'acceptCalls' }, createTools(systemClock));
const requested = (text: string) => set.requests([{ id: 'call_0123456789abcdef', name: 'lookup', arguments: text }], { step: 1, at: 0 })[0];

test('arguments that a model wrote are refused when they cannot be kept, and say why', () => {
  for (const name of ['__proto__', '\\u005f_proto__']) {
    const call = requested(`{"a":{"${name}":{"admin":true}}}`);
    expect(call?.refusal).toContain("/a: a member's name must not be __proto__");
    expect(call?.input).toEqual({});
  }
  expect(requested('{"a":"\\ud800"}')?.refusal).toContain('/a');
  expect(requested('[1]')?.refusal).toContain('not a JSON object');
  expect(requested('{"a":"__proto__"}')).toMatchObject({ input: { a: '__proto__' }, executor: 'application' });
  expect(requested('{"a":"__proto__"}')?.refusal).toBeUndefined();
});

test('actions expire at a moment that stores can read back, whatever an old definition says', () => {
  const tools: ToolDefinition[] = [{ ...lookup, expiresSeconds: Number.MAX_SAFE_INTEGER }];
  const old = createToolSet({ system: '', model: 'demo:echo', maxIters: 1, tools, permissionMode: 'acceptCalls' }, createTools(systemClock));
  expect(old.answering('lookup', Date.now()).expiresAt).toBe(8.64e15);
  expect(old.requests([{ id: 'call_0123456789abcdef', name: 'lookup', arguments: '{}' }], { step: 1, at: 5 })[0]?.expiresAt).toBe(8.64e15);
});
