import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { expect, test } from 'vitest';
import * as inputSchema from './input-schema.ts';

const schemaFaults = (schema: object) => inputSchema.schemaFaults(JSON.stringify(schema));
const inputFaults = (schema: object, input: JsonObject) => inputSchema.inputFaults(JSON.stringify(schema), input).map(inputSchema.faultText);

const order = {
  type: 'object',
  required: ['order'],
  properties: { order: { type: 'string', pattern: '^[A-Z]-\\d+$' }, day: { type: 'string', format: 'date' }, size: { enum: ['s', 'm'] } },
  additionalProperties: false,
} as const;

test('says what is wrong with arguments, every fault by its place', () => {
  expect(inputFaults(order, { order: 'A-17', day: '2026-11-30' })).toEqual([]);
  const faults = inputFaults(order, { order: 'a', day: 'tomorrow', size: 'xl', more: 1 }).join('\n');
  for (const part of ['/order: must match pattern', '/day: must match format', '/size', '["s","m"]', '"more"']) expect(faults).toContain(part);
  expect(inputFaults(order, {}).join()).toContain("required property 'order'");
});

test('Q1: a pattern that backtracks for ever elsewhere is answered at once', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  expect(inputFaults(schema, { a: `${'a'.repeat(50_000)}b` })).toHaveLength(1);
  expect(inputFaults(schema, { a: 'a'.repeat(50_000) })).toEqual([]);
});

test('a schema refers to all of itself, at any depth', () => {
  const tree = { type: 'object', properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' } } }, additionalProperties: false };
  expect(inputFaults(tree, { parts: [{ name: 'a' }, { parts: [{ name: 'b' }] }] })).toEqual([]);
  expect(inputFaults(tree, { parts: [{ parts: [{ name: 1 }] }] }).join()).toContain('/parts/0/parts/0/name');
  // One that leads nowhere but to itself ends as well.
  expect(inputFaults({ type: 'object', $ref: '#' }, {}).join()).toContain('cannot be checked');
});

test('Q2: only what is within a schema is referred to', () => {
  expect(schemaFaults({ type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } }).join()).toContain("can't resolve");
  expect(schemaFaults({ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } })).toEqual([]);
});

test('Q3: schemas of one $id do not meet', () => {
  const one = { $id: 'https://example.com/x', type: 'object', properties: { a: { $id: 'inner', type: 'string' } } };
  const two = { $id: 'https://example.com/x', type: 'object', properties: { a: { $id: 'inner', type: 'number' } } };
  expect([schemaFaults(one), schemaFaults(two)]).toEqual([[], []]);
  expect([inputFaults(one, { a: 1 }).length, inputFaults(two, { a: 1 }).length]).toEqual([1, 0]);
});

test('names what does not compile; older dialects and unknown formats do', () => {
  expect(schemaFaults({ type: 'nonsense' }).length).toBeGreaterThan(0);
  expect(schemaFaults({ type: 'object', properties: { a: { pattern: '(?<!x)y' } } }).length).toBeGreaterThan(0);
  expect(schemaFaults({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' })).toEqual([]);
  expect(schemaFaults({ type: 'object', properties: { a: { type: 'string', format: 'phone' } } })).toEqual([]);
  expect(inputFaults({ type: 'nonsense' }, {})).toEqual([]);
});

test('endless recursion is a fault of the schema, not of this process', () => {
  expect(inputFaults({ $dynamicAnchor: 'x', type: 'object', allOf: [{ $dynamicRef: '#x' }] }, { a: 1 }).join()).toContain('cannot be checked');
});
