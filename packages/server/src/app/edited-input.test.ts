import { expect, test } from 'vitest';
import { ToolsUnavailable } from '../ports/tool.ts';
import type { App } from './app.ts';
import { editedInputFaults, type PlacedAnswer } from './edited-input.ts';
import type { Session } from './lane.ts';

const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const definition = {
  tools: [
    { type: 'function', name: 'mine', description: '', inputSchema },
    { type: 'http', name: 'api', description: '', inputSchema, request: { method: 'GET', url: 'https://a.example/' } },
    { type: 'builtin', name: 'calculator' },
    { type: 'minitool', id: 'notes' },
  ],
  mcpServers: [{ name: 'files', command: 'x' }],
};
const session = { row: { id: 'ses_a', owner: 'user:ann' }, config: { target: { id: 'a', version: 1, definition } } } as unknown as Session;
/** What a schema with a required integer says; the server's own are held to the tools' tests. */
const inputFaults = async (schema: { readonly required: readonly string[] }, input: Readonly<Record<string, unknown>>) =>
  schema.required.flatMap((name) => {
    if (!(name in input)) return [{ pointer: '', detail: `must have ${name}` }];
    return Number.isInteger(input[name]) ? [] : [{ pointer: `/${name}`, detail: 'must be integer' }];
  });
const builtin = () => ({ spec: { name: 'calculator', inputSchema: { required: ['expression'] } } });
const noted = { minitoolId: 'notes', name: 'notes_write', inputSchema, exposure: 'startup', defaultEnabled: true };
const minitools = { version: 1, list: () => [noted] };
const appWith = (mcp: () => Promise<unknown>) => ({ tools: { inputFaults, builtin, mcp, minitools } }) as unknown as App;
const app = appWith(async () => [{ terms: {}, tool: { spec: { name: 'files_read', inputSchema } } }]);

const edited = (name: string, input: object, allow = true): PlacedAnswer =>
  ({ at: '/answers/1/payload', action: { tool_call: { name } }, answer: { payload: { kind: 'confirmation', allow, input } } }) as unknown as PlacedAnswer;
const pointers = async (...answers: PlacedAnswer[]) => (await editedInputFaults(app, session, answers)).map(({ pointer }) => pointer);

test('A12: edited arguments of every kind of tool are held to its schema', async () => {
  for (const name of ['mine', 'api', 'files_read', 'notes_write']) {
    expect(await pointers(edited(name, { n: 'one' })), name).toEqual(['/answers/1/payload/input/n']);
    expect(await pointers(edited(name, {})), name).toEqual(['/answers/1/payload/input']);
    expect(await pointers(edited(name, { n: 1 })), name).toEqual([]);
  }
  expect(await pointers(edited('calculator', { expr: '1' }))).toContain('/answers/1/payload/input');
  expect(await pointers(edited('mine', { n: 'one' }, false))).toEqual([]);
});

test('A12: a server whose list cannot be had does not hold up the answer', async () => {
  const away = appWith(() => Promise.reject(new ToolsUnavailable('away')));
  expect(await editedInputFaults(away, session, [edited('files_read', { n: 'one' })])).toEqual([]);
});
