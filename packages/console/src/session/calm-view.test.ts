import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import { answerStreams, runBegins, userSays } from '@turnkeeper/client/testing/turn-script';
import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import { applyEvent, emptyView } from '@turnkeeper/core/view/session-view';
import { expect, test } from 'vitest';
import { calmAfter } from './calm-view.ts';

test('tokens leave it the same object; all else is seen at once', () => {
  const answer = answerStreams('turn_1', ['one ', 'two ', 'three']);
  const events = [...userSays('turn_1', 1, 'a'), ...runBegins('turn_1', 'a'), ...answer];
  let view = emptyView({ id: 'ses_1', status: 'idle', archived: false }, '') as SessionSnapshot;
  let calm: SessionSnapshot | undefined;
  for (const [at, { type, data }] of events.entries()) {
    const before = calm;
    view = applyEvent(
      view,
      envelopeOf('ses_1', { kind: 'session', sid: 1 }, { sid: 1, seq: at + 1, turn: 0, type, at, data: JSON.stringify(data) }),
    ) as SessionSnapshot;
    calm = calmAfter(calm, view);
    expect(calm === before, type).toBe(type.startsWith('item.'));
    expect({ ...calm, items: [], as_of: '' }).toEqual({ ...view, items: [], as_of: '' });
  }
  expect(calmAfter(calm, undefined)).toBeUndefined();
  expect(calmAfter(calm, { ...view, has_more: {} } as SessionSnapshot)).not.toBe(calm);
});
