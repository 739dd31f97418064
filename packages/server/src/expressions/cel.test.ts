import type { Json } from '@turnkeeper/core/protocol/json';
import { wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import { spec } from '@turnkeeper/core/testing/flow-simulator';
import { type WorkflowFault, workflowFaults } from '@turnkeeper/core/workflow/validate-workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExpressions } from './cel.ts';

const { check, evaluate } = createExpressions();

const scope = {
  run: { id: 'run_1', input: { whole: 2, part: 1.5, list: [1, 2, 3], text: 'héllo', none: null, constructor: 'mine' } },
  nodes: { k: { output: { v: 5 }, status: 'succeeded' } },
};
const value = (expression: string, within: object = scope): Json | undefined => {
  const evaluated = evaluate(expression, within);
  return evaluated.ok ? evaluated.value : undefined;
};
const fault = (expression: string, within: object = scope): string => {
  const evaluated = evaluate(expression, within);
  return evaluated.ok ? `gave ${JSON.stringify(evaluated.value)}` : evaluated.detail;
};

describe('evaluate', () => {
  it('reads JSON and gives JSON', () => {
    expect(value('run.input.whole + 1')).toBe(3);
    expect(value('run.input.list.filter(n, n > 1).map(n, n * 2)')).toEqual([4, 6]);
    expect(value('{"a": nodes.k.output.v, "b": [nodes["k"].status, null, 2.5]}')).toEqual({ a: 5, b: ['succeeded', null, 2.5] });
    expect(value('has(run.input.none) && !has(run.input.nothing)')).toBe(true);
    expect(value('timestamp("2026-01-01T00:00:00Z") + duration("90m")')).toBe('2026-01-01T01:30:00.000Z');
    expect(value('[duration("90s")]')).toEqual(['90s']);
    expect(value('[1u + 2u]')).toEqual([3]);
    expect(value('b"ab"')).toBe('YWI=');
    expect(value('item + index', { item: 3, index: 4 })).toBe(7);
  });

  it('mixes whole numbers and others, as JSON does', () => {
    expect(value('run.input.whole * run.input.part + 0.5 - 1')).toBe(2.5);
    expect(value('1 / 0.5 > 1 && run.input.whole == 2.0')).toBe(true);
    expect(value('7 / 2')).toBe(3);
  });

  it('gives back any JSON as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }), (input) => {
        const expected = JSON.parse(JSON.stringify(input)) as Json;
        // What could never come in is none of this (core F2).
        fc.pre(wireFaults(expected).length === 0);
        expect(JSON.stringify(value('run.input', { run: { input: expected } }))).toBe(JSON.stringify(expected));
      }),
    );
  });

  it('gives nothing that could not be kept', () => {
    expect(fault('"a\\u0000b"')).toContain('U+0000');
    expect(fault('{"\\u0000": 1}')).toContain('U+0000');
    expect(value('run.input.face.substring(0, 1)', { run: { input: { face: '😀' } } })).toBe('\ufffd');
  });

  it('says what went wrong, and where', () => {
    expect(fault('nodes.k.output.w')).toBe('No such key: w (line 1, column 16)');
    expect(fault('true &&\n  run.input.text')).toContain('(line ');
    expect(fault('item')).toBe('`item` is not there');
    expect(fault('[type(1)]')).toContain('no JSON');
    expect(fault('1.0 / 0.0')).toContain('Infinity');
    expect(fault('9007199254740992 + 1')).toContain('too large');
    expect(fault('run.input.text.matches("(")')).toContain('regexp');
    expect(fault('duration("x".replace("a", "b"))')).not.toContain('gave');
  });
});

describe('hostile expressions', () => {
  it('find nothing of JavaScript in what they look at', () => {
    expect(value('run.input.constructor')).toBe('mine');
    for (const name of ['__proto__', 'prototype', 'toString', 'hasOwnProperty', 'size', 'get'])
      for (const expression of [`run.input.${name}`, `run.input["${name}"]`, `run["${name}"]`, `{}["${name}"]`, `[].${name}`, `"".${name}`, `nodes.${name}.x`])
        expect(fault(expression), expression).not.toContain('gave');
    expect(fault('constructor')).toContain('Unknown variable');
    expect(value('{"__proto__": {"polluted": true}, "a": 1}')).toEqual({ a: 1 });
    expect(fault('bytes("{\\"__proto__\\": 1}").json()')).toContain('__proto__');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('are bounded, however they are nested', () => {
    const nine = {
      run: { input: { list: Array.from({ length: 9_000 }, (_, n) => n), long: Array.from({ length: 10_001 }, () => 1), text: 'a'.repeat(900_000) } },
    };
    const doubling = (first: string, step: (last: string) => string, last: string): string =>
      `cel.bind(a0, ${first}, ${Array.from({ length: 25 }, (_, n) => `cel.bind(a${n + 1}, ${step(`a${n}`)}, `).join('')}${last}${')'.repeat(26)}`;
    const tooMuch: readonly string[] = [
      'run.input.list.map(x, run.input.list.map(y, x * y)).size()',
      'run.input.list.exists(x, run.input.list.all(y, run.input.list.exists(z, z < 0))) || true',
      'run.input.long.size()',
      'run.input.text + run.input.text',
      `[${'run.input.text,'.repeat(20)}"b"].join()`,
      'run.input.text.split("").size()',
      'run.input.list.all(x, run.input.text.contains("b"))  || run.input.list.all(x, run.input.text.contains("b") == false)',
      'run.input.list.all(x, timestamp("2026-01-01T00:00:00Z").getHours("Europe/Berlin") >= 0)',
      doubling('run.input.list', (last) => `${last} + ${last}`, 'a25.size()'),
      doubling('[1]', (last) => `[${last}, ${last}]`, 'a25 == [a24, a24]'),
      doubling('[1]', (last) => `[${last}, ${last}]`, 'a25'),
      doubling('"x"', (last) => `${last} + ${last}`, 'a25.size()'),
    ];
    for (const expression of tooMuch) expect(fault(expression, nine), expression).toMatch(/too much work|a list in it|a text in it/);
    expect(value('run.input.list.map(x, x + 1).size()', nine)).toBe(9_000);
    // Linear where the library's own engine would not come to an end.
    expect(value('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac".matches("^(a+)+$")')).toBe(false);
    expect(value('run.input.text.substring(0, 40).matches("(a|aa)+b")', nine)).toBe(false);
  });

  it('are values of faults where they cannot even be read', () => {
    const deep: readonly string[] = [
      `${'('.repeat(4_000)}1${')'.repeat(4_000)}`,
      `${'-'.repeat(9_000)}1`,
      `${'!'.repeat(9_000)}true`,
      '['.repeat(9_000),
      `1${' + 1'.repeat(2_400)}`,
    ];
    for (const expression of [...deep, `"${'x'.repeat(20_000)}"`, '', '\0', '"\ud800', '{', 'a.b.', 'run.', '1 +', "'"]) {
      expect(check(expression).ok, expression.slice(0, 20)).toBe(false);
      expect(evaluate(expression, scope).ok).toBe(false);
    }
  });

  it('never throw, whatever they are', () => {
    const parts = [
      'run',
      '.',
      'input',
      'nodes',
      '[',
      ']',
      '(',
      ')',
      '{',
      '}',
      ',',
      '"a"',
      '1',
      '2.5',
      '+',
      '-',
      '?',
      ':',
      'map',
      'x',
      '&&',
      '!',
      'has',
      'cel.bind',
      'matches',
      '==',
      'in',
      'null',
      ' ',
    ];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 60 }),
          fc.array(fc.constantFrom(...parts), { maxLength: 20 }).map((found) => found.join('')),
        ),
        (expression) => {
          const checked = check(expression);
          const evaluated = evaluate(expression, scope);
          // What cannot be read cannot be evaluated.
          if (!checked.ok) expect(evaluated.ok).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('check', () => {
  it('tells the type, as far as it is known', () => {
    const types = Object.entries({
      'run.input.x': 'unknown',
      '1 + 2.5': 'number',
      'run.input.x > 3': 'bool',
      '"a" + "b"': 'string',
      '[1]': 'list',
      'run.input.map(x, x)': 'list',
      '{"a": 1}': 'map',
      null: 'null',
      'timestamp(0)': 'time',
      'duration("1s")': 'duration',
      'type(1)': 'other',
    });
    for (const [expression, type] of types) expect(check(expression), expression).toMatchObject({ ok: true, type });
    expect(check('"2026"')).toMatchObject({ literal: '2026' });
  });

  it('tells what is named, and where', () => {
    const checked = check('run.input.list.all(n,\n n > nodes.first.output.n) && nodes["second"]["status"] == item');
    expect(checked).toMatchObject({
      ok: true,
      nodes: [
        { key: 'first', member: 'output', at: { line: 2, column: 6 } },
        { key: 'second', member: 'status', at: { line: 2 } },
      ],
    });
    expect(checked.ok && checked.names.map(({ name }) => name)).toEqual(['run', 'nodes', 'item']);
    expect(check('size(nodes)')).toMatchObject({ nodes: [{ at: { column: 6 } }] });
    expect(check('has(nodes.k.output) ? nodes.k : null')).toMatchObject({ nodes: [{ key: 'k', member: 'output' }, { key: 'k' }] });
  });

  it('names faults with their place', () => {
    expect(check('1 +')).toMatchObject({ ok: false, at: { offset: 3, line: 1, column: 4 } });
    expect(check('run.inptu')).toMatchObject({ ok: false, detail: '`run` has `input` and `id`, no `inptu`', at: { column: 5 } });
    expect(check('true\n&& "a" + 1')).toMatchObject({ ok: false, at: { line: 2 } });
    expect(check('run.input.all(nodes, nodes > 1)')).toMatchObject({ ok: false, at: { column: 15 } });
    expect(check('[1].map(a, [1].map(b, [1].map(c, [1].map(d, d))))')).toMatchObject({ ok: false, detail: expect.stringContaining('3 deep') });
    expect(check('"a".matches(1)')).toMatchObject({ ok: false, detail: expect.stringContaining('string.matches(int)') });
    expect(check(`[${'1,'.repeat(600)}1]`)).toMatchObject({ ok: false });
  });

  it('is what a workflow is checked with', () => {
    const nodes = [
      { key: 'a', type: 'agent', agentId: 'x', input: { message: 'run.input.topic + ' } },
      { key: 'c', type: 'condition', condition: 'size(nodes.a.output)' },
      {
        key: 'm',
        type: 'map',
        items: 'nodes.a.output.parts',
        node: { type: 'agent', agentId: 'x', input: { message: '"do " + string(item) + string(index)' } },
      },
    ];
    const edges = [
      { from: 'a', to: 'c' },
      { from: 'c', to: 'm', condition: 'nodes.c.output' },
    ];
    const told = workflowFaults(spec(nodes, edges), check).map(({ pointer, detail }: WorkflowFault) => `${pointer}: ${detail}`);
    expect(told).toEqual([
      '/nodes/0/input/message: Unexpected token: EOF (line 1, column 19)',
      '/nodes/1/condition: it must give true or false, and gives a number',
    ]);
  });
});
