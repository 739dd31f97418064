import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { inRealTime } from '../testing/tools/in-real-time.ts';
import { isLittleWork, isPlainSchema } from './plain-schema.ts';
import { createSchemaChecker, type SchemaChecker } from './schema-checker.ts';

let clock = new ManualClock();
let checker: SchemaChecker;
beforeEach(() => {
  clock = new ManualClock();
  checker = createSchemaChecker(clock);
});
afterEach(() => checker.close());

/** Looks at each value 2^levels times. */
const exponential = (levels: number) => {
  const defs: Record<string, object> = { a0: { type: 'object', required: ['zz'] } };
  for (let at = 1; at <= levels; at += 1) defs[`a${at}`] = { anyOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] };
  return { $defs: defs, $ref: `#/$defs/a${levels}` } as never;
};
/** Moves the clock until the work is done. */
const overTime = async <Value>(work: Promise<Value>): Promise<Value> => {
  let done = false;
  void work.then(() => {
    done = true;
  });
  await inRealTime('it was given up', () => clock.advance(100).then(() => done));
  return work;
};
const tooLong = [{ pointer: '', detail: 'takes too long to check' }];

test('Q5: a schema that takes for ever is a fault, and those behind it are answered', async () => {
  const stuck = checker.inputFaults(exponential(40), { a: 1 });
  const behind = [
    checker.inputFaults({ type: 'object', properties: { a: { pattern: '^b' } } }, { a: 'a' }),
    checker.schemaFaults({ type: 'object', not: { type: 'nonsense' } }),
    checker.inputFaults(exponential(3), { zz: 1 }),
  ] as const;
  expect(await overTime(stuck)).toEqual(tooLong);
  expect(await behind[0]).toEqual([{ pointer: '/a', detail: 'must match pattern "^b"' }]);
  expect((await behind[1]).join()).toContain('/not/type');
  expect(await behind[2]).toEqual([]);
  expect(clock.waiting).toBe(0);
});

test('Q6: what was not compiled in time is not tried again for a while', async () => {
  const properties = Object.fromEntries(Array.from({ length: 2_400 }, (_, at) => [`k${at}`, { type: 'string', pattern: `^${at}` }]));
  const slow = { type: 'object', properties } as never;
  expect(await overTime(checker.schemaFaults(slow))).toEqual(['takes too long to check']);
  // No thread is asked, and so none is waited for.
  expect(await checker.inputFaults(slow, {})).toEqual(tooLong);
  expect(clock.waiting).toBe(0);
  await clock.advance(61_000);
  expect(await overTime(checker.schemaFaults(slow))).toEqual(['takes too long to check']);
});

test('Q5: what fails in the thread is a fault', async () => {
  const endless = { $dynamicAnchor: 'x', type: 'object', allOf: [{ $dynamicRef: '#x' }] };
  expect((await checker.inputFaults(endless, { a: 1 }))[0]?.detail).toContain('cannot be checked');
  await checker.close();
  expect((await checker.inputFaults(endless, { a: 1 }))[0]?.detail).toContain('the server stops');
});

test('Q4: only what is short, and looks at each value once, is plain', () => {
  const isPlain = (schema: object) => isPlainSchema(schema as never, JSON.stringify(schema));
  expect(isPlain({ type: 'object', properties: { $ref: { type: 'array', items: { enum: [1] } } }, required: ['$ref'], additionalProperties: false })).toBe(
    true,
  );
  for (const keyword of ['$ref', '$dynamicRef', 'anyOf', 'allOf', 'oneOf', 'not', 'if', 'pattern', 'patternProperties', 'uniqueItems', 'format', 'contains'])
    expect(isPlain({ type: 'object', properties: { a: { items: { [keyword]: true } } } }), keyword).toBe(false);
  expect(isPlain(Array.from({ length: 10 }).reduce<object>((items) => ({ items }), {}))).toBe(false);
  expect(isPlain({ description: 'x'.repeat(2_000) })).toBe(false);
  expect([isLittleWork('x'.repeat(400), 'x'.repeat(500)), isLittleWork('x'.repeat(2_000), 'x'.repeat(30_000))]).toEqual([true, false]);
});

test('Q5: a plain schema with a long input is asked of the thread, too', async () => {
  const required = Array.from({ length: 200 }, (_, at) => `k${at}`);
  const stuck = checker.inputFaults({ properties: { l: { items: { required } } } }, { l: Array.from({ length: 9_000 }, () => ({})) });
  expect(await overTime(stuck)).toEqual(tooLong);
});
