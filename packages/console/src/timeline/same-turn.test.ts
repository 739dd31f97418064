import { answerStreams, runBegins, turnCompletes, userSays } from '@turnkeeper/client/testing/turn-script';
import { timelineOf } from '@turnkeeper/client/view/timeline';
import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { applyEvent, emptyView } from '@turnkeeper/core/view/session-view';
import { expect, test } from 'vitest';
import { sameTurn } from './same-turn.ts';

const envelope = (event: SessionEvent, seq: number) =>
  envelopeOf('ses_1', { kind: 'session', sid: 1 }, { sid: 1, seq, turn: 0, type: event.type, at: seq, data: JSON.stringify(event.data) });

test('while one turn streams, the others stay the same, and each delta changes that one', () => {
  const before: SessionEvent[] = [
    ...userSays('turn_1', 1, 'a'),
    ...runBegins('turn_1', 'a'),
    ...answerStreams('turn_1', ['x']),
    ...turnCompletes('turn_1', 'x'),
    ...userSays('turn_2', 2, 'b'),
    ...runBegins('turn_2', 'b'),
  ];
  let view = before.map((event, at) => envelope(event, at + 1)).reduce(applyEvent, emptyView({ id: 'ses_1', status: 'idle', archived: false }, ''));
  for (const [at, event] of answerStreams('turn_2', ['y', 'z']).entries()) {
    const [settled, live] = timelineOf(view);
    view = applyEvent(view, envelope(event, 100 + at));
    const [settledAfter, liveAfter] = timelineOf(view);
    expect(settled && settledAfter && sameTurn(settled, settledAfter)).toBe(true);
    expect(live && liveAfter && sameTurn(live, liveAfter)).toBe(false);
  }
});
