import type { TurnBody } from '@turnkeeper/core/view/turn';
import { noUsage } from '@turnkeeper/core/view/usage';
import { expect, test } from 'vitest';
import { textIn } from '../i18n/catalogues.ts';
import { queueReason } from './queue-reason.ts';

const turn = (id: string, status: TurnBody['status'], more: Partial<TurnBody> = {}): TurnBody => ({
  turn_id: id,
  n: 1,
  status,
  preview: '',
  created_at: 0,
  runs: 0,
  usage: noUsage,
  ...more,
});
const reason = (live: TurnBody | undefined, position = 0, waiting = turn('turn_2', 'queued')) =>
  queueReason({ turn: waiting, position, live }, 'en', (key, values) => textIn('en', key, values));

test('a queued turn says why it waits', () => {
  expect(reason(undefined)).toBe('Starting…');
  expect(reason(turn('turn_2', 'queued'))).toBe('Starting…');
  expect(reason(turn('turn_1', 'running'))).toContain('Next in line');
  expect(reason(turn('turn_1', 'running'), 2)).toBe('3 turns before it');
  expect(reason(turn('turn_1', 'requires_action'))).toContain('question');
  expect(reason(turn('turn_1', 'interrupted'))).toContain('interrupted');
  expect(reason(undefined, 0, turn('turn_2', 'queued', { not_before: Date.UTC(2026, 0, 1) }))).toContain('Tries again at');
});
