import { expect, test } from 'vitest';
import { type Entry, entriesFor, fits } from './entries.ts';

test('all words must be there, in any order and case', () => {
  expect(fits('Copy as curl', 'CURL copy')).toBe(true);
  expect(fits('Copy as curl', 'curl paste')).toBe(false);
  expect(fits('复制为 curl', '复制')).toBe(true);
  expect(fits('anything', '')).toBe(true);
});

test('groups stand in their order; what the server found stays whatever was typed', () => {
  const run = () => {};
  const entries: Entry[] = [
    { id: 'dark', group: 'groupPreferences', text: 'Dark', run },
    { id: 'ses_1', group: 'groupSessions', text: 'Tea', found: true, run },
    { id: 'stop', group: 'groupHere', text: 'Stop', run },
    { id: 'usage', group: 'groupPages', text: 'Usage', note: 'G U', run },
  ];
  expect(entriesFor(entries, '').map(({ id }) => id)).toEqual(['stop', 'usage', 'ses_1', 'dark']);
  expect(entriesFor(entries, ' g u').map(({ id }) => id)).toEqual(['usage', 'ses_1']);
});
