import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import { expect, test } from 'vitest';
import { outputOf, progressOf } from './call-progress.ts';

const report = (data: object): OutputBlock => ({ type: 'data', data: { type: 'progress', ...data } });
const text = (words: string): OutputBlock => ({ type: 'text', text: words });
const tool = (progress: readonly OutputBlock[], status: ToolBody['status'] = 'running') => ({ progress, output: [], status }) as unknown as ToolBody;

test('the newest report of a call that runs counts, whatever kind of tool made it', () => {
  expect(progressOf(tool([report({ message: 'begins' }), report({ message: ' half ', stage: 'pages', percent: 50 })]))).toEqual({
    message: 'half',
    stage: 'pages',
    percent: 50,
  });
  expect(progressOf(tool([report({ message: 'half', percent: 50 }), text('1 of 3 read\n2 of 3 written\n')]))).toEqual({ message: '2 of 3 written' });
  expect(progressOf(tool([report({ message: '', stage: 'pages', percent: 140 })]))).toEqual({ message: 'pages', percent: 100 });
  // What says nothing does not hide what was said before.
  expect(progressOf(tool([report({ message: 'begins' }), report({ message: 4, percent: 'x' }), text(' \n'), { type: 'data', data: [1] }]))).toEqual({
    message: 'begins',
  });
});

test('a call that waits for people, or is over, is nowhere on its way', () => {
  const reports = [report({ message: 'half' })];
  expect(progressOf(undefined)).toBeUndefined();
  for (const status of ['requested', 'waiting', 'success', 'error', 'unknown'] as const) expect(progressOf(tool(reports, status))).toBeUndefined();
});

test('reports are no output', () => {
  expect(outputOf(tool([report({ message: 'half' }), text('a line\n')]))).toEqual([text('a line\n')]);
  expect(outputOf({ progress: [report({ message: 'half' })], output: [text('done')] })).toEqual([text('done')]);
});
