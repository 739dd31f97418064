/** When a context is compacted, where it is cut, and what the summary is made of (CM1–CM3). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { history } from '../testing/arbitraries.ts';
import { compactionMark, estimatedTokens, planCompaction, roughTokens } from './compaction.ts';
import { assemblePrompt, type ContextEntry, type ContextRow, reachOf, transcriptFault, visibleRows } from './context.ts';

const words = (count: number): string => 'word'.repeat(count);
const user = (count: number): ContextEntry => ({ kind: 'message', message: { role: 'user', content: [{ type: 'text', text: words(count) }] } });
const said = (count: number, tokens?: number): ContextEntry => ({
  kind: 'message',
  message: { role: 'assistant', content: [{ type: 'text', text: words(count) }] },
  ...(tokens === undefined ? {} : { tokens }),
});
const asked = (id: string): ContextEntry => ({ kind: 'message', message: { role: 'assistant', content: [{ type: 'tool_call', id, name: 'x', input: {} }] } });
const result = (callId: string, count: number): ContextEntry => ({
  kind: 'tool_result',
  result: { callId, name: 'x', output: [{ type: 'text', text: words(count) }], isError: false },
});
const rowsOf = (...entries: readonly ContextEntry[]): readonly ContextRow[] => entries.map((entry, index) => ({ n: 10 * (index + 1), entry }));
const need = { window: 1_000, fixed: 50, refusals: 0 };
const long = rowsOf(user(300), said(300), user(100), said(80), user(20));

describe('an estimate', () => {
  it('counts wide characters one by one', () => {
    expect([roughTokens('abcdefgh'), roughTokens('你好'), roughTokens('')]).toEqual([2, 2, 0]);
  });
  it('adds to what the provider counted last what came after it', () => {
    const rows = rowsOf(user(300), said(300, 777), user(100));
    expect(estimatedTokens(rows, 50)).toBe(777 + 104);
    expect(estimatedTokens(rowsOf(user(300)), 50)).toBe(50 + 304);
  });
  it('takes no count of before a compaction', () => {
    const rows = rowsOf(user(300), said(300, 900), { kind: 'compacted', summary: words(10), keepFrom: 20 }, user(5));
    expect(estimatedTokens(visibleRows(rows), 50)).toBe(50 + 14 + 304 + 9);
  });
});

describe('a plan', () => {
  it('waits for 80 % of the window, then keeps the newest quarter (CM2)', () => {
    expect(planCompaction(long, { ...need, window: 1_100 })).toBeUndefined();
    expect(planCompaction(long, need)).toMatchObject({ keepFrom: 30, replaced: 2 });
  });
  it('asks for the summary behind the unchanged beginning of the prompt (CM2)', () => {
    const prompt = assemblePrompt(long);
    const { messages = [] } = planCompaction(long, need) ?? {};
    expect(messages.slice(0, 2)).toEqual(prompt.slice(0, 2));
    expect(JSON.stringify(messages.at(-1))).toContain(compactionMark);
    expect(messages).toHaveLength(3);
  });
  it('keeps a request with its results (CM1)', () => {
    const rows = rowsOf(user(700), asked('c1'), result('c1', 150), asked('c2'), result('c2', 240));
    expect(planCompaction(rows, need)?.keepFrom).toBe(40);
  });
  it('makes the next summary of the one before, which it replaces (CM3)', () => {
    const rows = rowsOf(user(9), said(9), { kind: 'compacted', summary: 'the first', keepFrom: 20 }, user(400), said(400), user(50));
    const plan = planCompaction(visibleRows(rows), need);
    expect(plan).toMatchObject({ keepFrom: 60, replaced: 3 });
    expect(JSON.stringify(plan?.messages)).toContain('the first');
    const after = [...rows, { n: 70, entry: { kind: 'compacted', summary: 'the second', keepFrom: 60 } } as const];
    expect(JSON.stringify(assemblePrompt(after))).not.toContain('the first');
    // Nothing is left that would be worth it.
    expect(planCompaction(visibleRows(after), need)).toBeUndefined();
  });
  it('is none where only the newest message is left, however large', () => {
    expect(planCompaction(rowsOf(user(2_000)), need)).toBeUndefined();
    expect(planCompaction(rowsOf(user(2_000)), { ...need, refusals: 1 })).toBeUndefined();
  });
  it('after a refusal is made whatever the window is thought to be, of less each time', () => {
    const wide = { ...need, window: 1_000_000 };
    expect(planCompaction(long, wide)).toBeUndefined();
    expect(planCompaction(long, { ...wide, refusals: 1 })?.replaced).toBeGreaterThan(0);
    const many = rowsOf(...Array.from({ length: 20 }, (_, n) => (n % 2 ? said(50) : user(50))));
    const size = (refusals: number): number => JSON.stringify(planCompaction(many, { ...wide, refusals })?.messages).length;
    expect(size(2)).toBeLessThan(size(1));
    expect(transcriptFault(planCompaction(long, { ...wide, refusals: 3 })?.messages ?? [])).toBeUndefined();
  });
});

describe('any compaction', () => {
  it('leaves a valid transcript with the same end, and asks for it with one (C1, CM1)', () => {
    let planned = 0;
    fc.assert(
      fc.property(history(), fc.integer({ min: 20, max: 400 }), fc.nat(3), ({ rows, state }, window, refusals) => {
        if (state.live?.calls.some(({ status }) => status !== 'done')) return;
        const before = assemblePrompt(rows);
        const plan = planCompaction(visibleRows(rows), { window, fixed: 0, refusals });
        if (!plan) return;
        planned += 1;
        const last = rows.at(-1)?.n ?? 0;
        const compacted = [...rows, { n: last + 1, entry: { kind: 'compacted', summary: 'short', keepFrom: plan.keepFrom } } as const];
        const prompt = assemblePrompt(compacted);
        expect(transcriptFault(prompt)).toBeUndefined();
        expect(prompt.at(-1)).toEqual(before.at(-1));
        expect(transcriptFault(plan.messages)).toBeUndefined();
        // Read from the cut on, it is the same: what lies before is not needed.
        const tail = compacted.filter((row) => row.n >= plan.keepFrom);
        expect(reachOf(tail)).toBe('whole');
        expect(assemblePrompt(tail)).toEqual(prompt);
        expect(reachOf(compacted.filter((row) => row.n > plan.keepFrom))).toBe('unknown');
      }),
      { numRuns: 500 },
    );
    expect(planned).toBeGreaterThan(5);
  });
});
