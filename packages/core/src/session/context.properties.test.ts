/** What holds of every context: a provider can always be shown it (C1, C2). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type History, history } from '../testing/arbitraries.ts';
import { rowsOf } from '../testing/given.ts';
import { must } from '../testing/must.ts';
import { assemblePrompt, type ContextEntry, type ContextRow, lastMessages, type PromptMessage, transcriptFault } from './context.ts';
import { pendingWork } from './pending-work.ts';
import type { SessionState } from './state.ts';

const runs = { numRuns: 1_000 };

type Moment = { readonly state: SessionState; readonly rows: readonly ContextRow[] };
/** The state and the context after each accepted command. */
const moments = ({ steps }: History): readonly Moment[] => {
  const rows: ContextRow[] = [];
  let seq = 0;
  return steps.flatMap(({ decision }) => {
    if (!decision.ok) return [];
    rows.push(...rowsOf(decision.context, seq));
    seq += decision.events.length;
    return [{ state: decision.state, rows: [...rows] }];
  });
};
const mayCallModel = ({ state }: Moment): boolean => pendingWork(state).some((work) => work.kind === 'model');
const isSettled = ({ state }: Moment): boolean => state.live === undefined && state.last !== undefined;
const endsForTheModel = (prompt: readonly PromptMessage[]): boolean => prompt.at(-1)?.role === 'user' || prompt.at(-1)?.role === 'tool';

/** An entry that points to rows, where these stand behind so many others. */
const shiftedEntry = (entry: ContextEntry, by: number): ContextEntry => {
  switch (entry.kind) {
    case 'rebase':
      return { ...entry, upto: entry.upto + by };
    case 'compacted':
      return { ...entry, keepFrom: entry.keepFrom + by };
    case 'message':
    case 'tool_result':
    case 'initial':
      return entry;
  }
};

describe('any context', () => {
  it('is a valid transcript whenever the model is to be called, and ends with what it has to answer', () => {
    fc.assert(
      fc.property(history(), (whole) => {
        for (const moment of moments(whole).filter(mayCallModel)) {
          const prompt = assemblePrompt(moment.rows);
          must(transcriptFault(prompt) === undefined, () => `${transcriptFault(prompt)}`);
          must(endsForTheModel(prompt), 'nothing to answer');
        }
      }),
      runs,
    );
  });

  it('is a valid transcript that ends with the assistant at every settled point', () => {
    fc.assert(
      fc.property(history(), (whole) => {
        for (const moment of moments(whole).filter(isSettled)) {
          const prompt = assemblePrompt(moment.rows);
          must(transcriptFault(prompt) === undefined, () => `${transcriptFault(prompt)}`);
          expect(prompt.at(-1)?.role ?? 'assistant').toBe('assistant');
        }
      }),
      runs,
    );
  });

  it('stays valid when it goes on from an earlier settled point (C2)', () => {
    fc.assert(
      fc.property(history(), history(25), fc.nat(), (first, second, pick) => {
        const points = moments(first).filter(isSettled);
        const point = points[pick % Math.max(points.length, 1)];
        const upto = point?.rows.at(-1)?.n ?? 0;
        const last = first.rows.at(-1)?.n ?? 0;
        const rebase: ContextRow = { n: last + 1, entry: { kind: 'rebase', upto } };
        const by = last + 1;
        const shifted = (rows: readonly ContextRow[]): readonly ContextRow[] => rows.map(({ n, entry }) => ({ n: n + by, entry: shiftedEntry(entry, by) }));
        expect(assemblePrompt([...first.rows, rebase])).toEqual(assemblePrompt(point?.rows ?? []));
        for (const moment of moments(second).filter((entry) => mayCallModel(entry) || isSettled(entry))) {
          expect(transcriptFault(assemblePrompt([...first.rows, rebase, ...shifted(moment.rows)]))).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('may be cut to its newest messages at any length', () => {
    fc.assert(
      fc.property(history(), fc.integer({ min: 1, max: 12 }), (whole, max) => {
        for (const moment of moments(whole).filter(mayCallModel)) {
          const prompt = assemblePrompt(moment.rows);
          const cut = lastMessages(prompt, max);
          must(transcriptFault(cut) === undefined, () => `${transcriptFault(cut)}`);
          expect(cut.length).toBeGreaterThan(0);
          expect(prompt.slice(-cut.length)).toEqual(cut);
          const newest = prompt.findLastIndex((message) => message.role === 'user');
          expect(cut.length).toBeLessThanOrEqual(Math.max(max, prompt.length - newest));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('may be read from any row on, as long as a user message is among them', () => {
    fc.assert(
      fc.property(history(), fc.nat(), fc.integer({ min: 2, max: 12 }), (whole, pick, max) => {
        for (const moment of moments(whole).filter(mayCallModel)) {
          const newest = moment.rows.findLastIndex(({ entry }) => entry.kind === 'message' && entry.message.role === 'user');
          const cut = lastMessages(assemblePrompt(moment.rows.slice(pick % (newest + 1))), max);
          must(transcriptFault(cut) === undefined, () => `${transcriptFault(cut)}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('holds one result for each call of the model once its turn has ended', () => {
    fc.assert(
      fc.property(history(), ({ rows, state }) => {
        if (state.live) return;
        const asked = rows.flatMap(({ entry }) =>
          entry.kind === 'message' && entry.message.role === 'assistant'
            ? entry.message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))
            : [],
        );
        const given = rows.flatMap(({ entry }) => (entry.kind === 'tool_result' ? [entry.result.callId] : []));
        expect(given.toSorted()).toEqual(asked.toSorted());
      }),
      runs,
    );
  });
});
