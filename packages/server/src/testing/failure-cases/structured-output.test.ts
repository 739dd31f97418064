/** What a session lets in and what its turns come to, where it says so: JS1, JS2, OU1, OU2, OJ1, OJ2. */
import type { CreateSessionRequest } from '@turnkeeper/core/protocol/wire/sessions';
import { afterEach, expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, createClient, fresh } from '../harness/client.ts';
import type { Step } from '../harness/scripted-model.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());

const city = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'], additionalProperties: false };
type Schemas = Pick<CreateSessionRequest, 'inputSchema' | 'outputSchema' | 'resultMapping'>;

const open = async (schemas: Schemas, sketch: { readonly maxIters?: number } = {}) => {
  world = await openWorld();
  const client = createClient(world);
  const agent = await client.agent({ tools: [builtin('time')], ...sketch });
  const create = (more: object = {}) =>
    createSession(world.engine.app, ann, { target: { type: 'agent', id: agent }, ...schemas, ...more } as never, fresh('create'));
  return { client, create };
};
/** How the model is told what is wrong. */
const repair = (faults: string): string =>
  `Your answer is not what is asked for: ${faults}. Answer again with one JSON value that fits the schema, and nothing else.`;
type Sketch = { readonly maxIters?: number; readonly faults?: string };
/** A turn that is answered so; after a refusal for these `faults` the second way. */
const turnOf = async (schemas: Schemas, say: Step, again?: Step, { faults: faultsOf = '', ...sketch }: Sketch = {}) => {
  const { client, create } = await open(schemas, sketch);
  const { id } = (await create()).answer;
  const text = fresh('x');
  world.model.when(text, say);
  if (again) world.model.when(repair(faultsOf), again);
  const turn = await client.until(id, await client.submit(id, text));
  const { faults, log } = await checkSession(world.store, id, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return { turn, log };
};

test('OU1 an answer that fits is the result of its turn, on the turn and in its outcome; the model was told the schema', async () => {
  const { turn, log } = await turnOf({ outputSchema: city }, [{ text: '```json\n{"city":"Rome","days":3}\n```' }]);
  expect(turn).toMatchObject({ status: 'completed', result: { city: 'Rome', days: 3 } });
  expect(log.flatMap(({ event }) => (event.type === 'turn.completed' ? [event.data.result] : []))).toEqual([{ city: 'Rome', days: 3 }]);
  expect(world.model.calls[0]?.request.system).toContain(JSON.stringify(city));
});

test('OU2 an answer that does not fit is told to the model once, with its faults', async () => {
  const faults = 'the answer must have required property \'city\'; the answer must NOT have additional properties ("town")';
  const { turn } = await turnOf({ outputSchema: city }, [{ text: '{"town":"Rome"}' }], [{ text: '{"city":"Rome"}' }], { faults });
  expect(turn).toMatchObject({ status: 'completed', result: { city: 'Rome' } });
  expect(world.model.calls).toHaveLength(2);
});

test('OU2 the second one that does not fit fails the turn, which may be resumed', async () => {
  const { turn } = await turnOf({ outputSchema: city }, [{ text: 'Rome, of course' }], [{ text: '{"city":7}' }], { faults: 'the answer is not JSON' });
  expect(turn).toMatchObject({ status: 'failed', errorCode: 'output_schema_violation', result: null });
  expect(turn.errorMessage).toContain('/city must be string');
  const client = createClient(world);
  world.model.when('[The turn is resumed. Please continue where you stopped.]', [{ text: '{"city":"Rome"}' }]);
  await client.resume(turn.sessionId, turn.id);
  expect(await client.until(turn.sessionId, turn.id)).toMatchObject({ status: 'completed', result: { city: 'Rome' } });
});

test('OU2 without a step left there is no second try', async () => {
  const { turn } = await turnOf({ outputSchema: city }, [{ text: '{}' }], undefined, { maxIters: 1 });
  expect(turn).toMatchObject({ status: 'failed', errorCode: 'output_schema_violation' });
  expect(world.model.calls).toHaveLength(1);
});

test('OJ1 a result is what the mapping makes of the answer; a pointer to nothing fails the turn', async () => {
  const resultMapping = { where: '/city', all: '' };
  expect((await turnOf({ outputSchema: city, resultMapping }, [{ text: '{"city":"Rome"}' }])).turn).toMatchObject({
    result: { where: 'Rome', all: { city: 'Rome' } },
  });
  await world.close();
  expect((await turnOf({ outputSchema: city, resultMapping: { d: '/days' } }, [{ text: '{"city":"Rome"}' }])).turn).toMatchObject({
    status: 'failed',
    errorCode: 'output_mapping_failed',
  });
  await world.close();
  // Without a schema any text is an answer.
  expect((await turnOf({ resultMapping: { text: '' } }, [{ text: 'Rome' }])).turn).toMatchObject({ status: 'completed', result: { text: 'Rome' } });
});

test('OJ1, OJ2 what is huge, or cannot be kept, is no output, and stops nobody', async () => {
  const hostile = [`{"city":"${'x'.repeat(200_000)}"}`, '['.repeat(90_000), '{"city":"\\ud800"}', '{"__proto__":{"city":"Rome"},"city":"Rome"}'];
  for (const text of hostile) {
    const { turn } = await turnOf({ outputSchema: { type: ['object', 'array'] } as never }, [{ text }], [{ text }]);
    expect([text.slice(0, 20), turn.errorCode]).toEqual([text.slice(0, 20), 'output_schema_violation']);
    await world.close();
  }
  // Each level of it is looked at twice.
  const slow = { $defs: { a: { anyOf: [{ items: { $ref: '#/$defs/a' } }, { items: { $ref: '#/$defs/a' } }] } }, $ref: '#/$defs/a', not: {} };
  const { turn } = await turnOf({ outputSchema: slow as never }, [{ text: `${'['.repeat(40)}${']'.repeat(40)}` }], [{ text: '[]' }]);
  expect(turn.errorCode).toBe('output_schema_violation');
});

test('JS1 a schema that cannot be used is refused when the session is made, by its place', async () => {
  const { create } = await open({});
  const wrong = { inputSchema: { type: 'objekt' }, outputSchema: { $ref: 'https://a.example/schema.json' } };
  const refused = (await create(wrong).catch((error: unknown) => error)) as {
    readonly code: string;
    readonly details: { readonly errors: readonly { readonly pointer: string }[] };
  };
  expect(refused.code).toBe('validation_failed');
  expect([...new Set(refused.details.errors.map(({ pointer }) => pointer))]).toEqual(['/inputSchema', '/outputSchema']);
});

test('JS1 an input that does not fit is refused before anything runs, with its places, and leaves its key unused', async () => {
  const { client, create } = await open({
    inputSchema: { anyOf: [city, { type: 'object', required: ['message'], properties: { message: { maxLength: 5 } } }] },
  });
  await expect(create({ initialMessage: { input: { town: 1 } } })).rejects.toMatchObject({ code: 'validation_failed' });
  const { id } = (await create()).answer;
  const submit = (body: object, key = fresh('submit')) => submitTurn(world.engine.app, ann, id, body as never, key);
  const data = (value: unknown) => ({
    input: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'data', data: value },
        ],
      },
    ],
  });
  const pointers = async (body: object, key?: string) =>
    submit(body, key).then(
      () => [],
      (error: { readonly details: { readonly errors: readonly { readonly pointer: string }[] } }) => error.details.errors.map(({ pointer }) => pointer),
    );
  expect(await pointers({ input: { city: 1 } }, 'k1')).toContain('/input/city');
  expect(await pointers(data({ city: 1 }))).toContain('/input/0/content/1/data/city');
  expect(await pointers({ message: 'longer' })).toContain('/message');
  expect(await pointers({ input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] })).toEqual(['/input']);
  expect(world.model.calls).toEqual([]);
  world.model.when('Look:', [{ text: 'seen' }]);
  for (const body of [{ input: { city: 'Rome' } }, data({ city: 'Rome' }), { message: 'short' }])
    expect(await pointers(body, 'city' in body ? 'k1' : undefined)).toEqual([]);
  expect((await submit({ input: { city: 'Rome' } }, 'k1')).answer.status).toBe('queued');
  expect(await client.until(id, (await submit({ input: { city: 'Bonn' } }, 'k2')).answer.id)).toMatchObject({ preview: '{"city":"Bonn"}' });
  expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('{"type":"data","data":{"city":"Bonn"}}');
});

test('JS1 a session without a schema takes messages only', async () => {
  const { create } = await open({});
  const { id } = (await create()).answer;
  for (const input of [{ city: 'Rome' }, [], 'Rome', null]) {
    await expect(submitTurn(world.engine.app, ann, id, { input } as never, fresh('submit'))).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/input' }] },
    });
  }
});
