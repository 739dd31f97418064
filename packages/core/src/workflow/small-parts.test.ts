import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainEvaluate, spec } from '../testing/flow-simulator.ts';
import { mermaidOf } from './mermaid.ts';
import { momentOf, unixMsOf } from './moment.ts';
import { backoffMs } from './plan-retry.ts';
import { filledPrompt, promptParts } from './prompt-template.ts';

describe('unixMsOf', () => {
  it('reads what a Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new globalThis.Date('1900-01-01T00:00:00Z'), max: new globalThis.Date('2300-01-01T00:00:00Z'), noInvalidDate: true }),
        (date) => {
          expect(unixMsOf(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
    expect(unixMsOf('2026-03-01T12:00:00.5+02:30')).toBe(globalThis.Date.parse('2026-03-01T09:30:00.500Z'));
  });

  it('takes no other text for a time', () => {
    for (const text of ['', '2026-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01T24:00:00Z', 'now'])
      expect(unixMsOf(text), text).toBeUndefined();
    expect([momentOf(1.5), momentOf(-1), momentOf(null), momentOf(9e15), momentOf('1970-01-01T00:00:01Z')]).toEqual([
      2,
      undefined,
      undefined,
      undefined,
      1_000,
    ]);
  });
});

describe('backoffMs', () => {
  it('doubles up to a day', () => {
    expect([1, 2, 3, 40].map((attempt) => backoffMs(1.5, attempt))).toEqual([1_500, 3_000, 6_000, 86_400_000]);
    expect(backoffMs(0, 40)).toBe(0);
  });
});

describe('prompts', () => {
  it('hold expressions between braces, also such with braces of their own', () => {
    expect(promptParts('a {{ x }} b {{{"a": {"b": 1}}}}')).toEqual({
      ok: true,
      parts: [{ text: 'a ' }, { expression: 'x', offset: 5 }, { text: ' b ' }, { expression: '{"a": {"b": 1}}', offset: 14 }],
    });
    expect(promptParts('{{ "}}" }}!')).toMatchObject({ parts: [{ expression: '"}}"' }, { text: '!' }] });
    expect(promptParts('a\n{{ x')).toMatchObject({ ok: false, at: { line: 2, column: 1 } });
    expect(promptParts('{{  }}')).toMatchObject({ ok: false });
    expect(promptParts('plain } text {')).toEqual({ ok: true, parts: [{ text: 'plain } text {' }] });
  });

  it('are filled in with texts as they are, and all else as JSON', () => {
    const filled = (prompt: string) => filledPrompt(prompt, plainEvaluate, { run: { input: { a: 'x', b: [1] } } });
    expect(filled('{{ run.input.a }}: {{ run.input.b }}.')).toEqual({ ok: true, value: 'x: [1].' });
    expect(filled('{{ run.output }}')).toMatchObject({ ok: false });
  });
});

describe('mermaidOf', () => {
  it('draws each type, with what is on the edges', () => {
    const drawn = mermaidOf(
      spec(
        [
          { key: 'end', type: 'agent', agentId: 'writer', name: 'Say "hi" <now>' },
          { key: 'c', type: 'condition', condition: 'run.input.n > 3' },
          { key: 'j', type: 'join', join: { mode: 'quorum', count: 2 } },
          { key: 'p', type: 'approval', approval: { approverRef: ['u', 'v'], prompt: 'x' } },
          { key: 't', type: 'timer', timer: { durationSeconds: 5 } },
          { key: 's', type: 'signal', signalName: 'paid' },
          { key: 'm', type: 'map', items: 'run.input', node: { type: 'team', teamId: 'x' } },
        ],
        [
          { from: 'c', to: 'end', on: ['failed', 'timed_out'], condition: '!nodes.c.output' },
          { from: 'p', to: 't' },
        ],
      ),
    );
    expect(drawn.split('\n')).toEqual([
      'flowchart TD',
      '  n_end["Say #34;hi#34; #60;now#62;<br/>agent writer"]',
      '  n_c{"c<br/>run.input.n #62; 3"}',
      '  n_j{{"j<br/>quorum of 2"}}',
      '  n_p[/"p<br/>approval by u, v"/]',
      '  n_t(["t<br/>wait 5 s"])',
      '  n_s>"s<br/>signal paid"]',
      '  n_m[["m<br/>team for each of run.input"]]',
      '  n_c -->|"failed, timed_out<br/>!nodes.c.output"| n_end',
      '  n_p --> n_t',
      '',
    ]);
  });
});
