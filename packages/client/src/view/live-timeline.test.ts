import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { history } from '@turnkeeper/core/testing/arbitraries';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerStreams, runBegins, userSays, wholeTurn } from '../testing/turn-script.ts';
import { createLiveTimeline } from './live-timeline.ts';
import { timelineOf } from './timeline.ts';

const start = emptyView({ id: 'ses_1', status: 'idle', archived: false }, '');
/** The view after each of the events. */
const viewsOf = (events: readonly Pick<SessionEvent, 'type' | 'data'>[]): readonly SessionView[] => {
  let view = start;
  return events.map(({ type, data }, at) => {
    const row = { sid: 1, seq: at + 1, turn: 0, type, at, data: JSON.stringify(data) };
    view = applyEvent(view, envelopeOf('ses_1', { kind: 'session', sid: 1 }, row));
    return view;
  });
};

test('it is the timeline of the view, whatever happens, also when views are left out', () => {
  fc.assert(
    fc.property(history(), fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }), ({ log }, steps) => {
      const views = viewsOf(log);
      const live = createLiveTimeline();
      for (let [at, n] = [0, 0]; at < views.length; at += 1 + (steps[n % steps.length] ?? 0), n += 1) {
        const view = views[at] ?? start;
        expect(live(view)).toEqual(timelineOf(view));
      }
    }),
    { numRuns: 50 },
  );
});

test('while a message grows, every other turn is the same object', () => {
  const views = viewsOf([
    ...wholeTurn('turn_1', 1, 'a', ['x']),
    ...userSays('turn_2', 2, 'b'),
    ...runBegins('turn_2', 'b'),
    ...answerStreams('turn_2', ['one ', 'two ', 'three']),
  ]);
  const live = createLiveTimeline();
  const turns = views.map((view) => live(view)).slice(-4);
  for (const [at, [first, last]] of turns.entries()) {
    expect(first).toBe(turns[0]?.[0]);
    if (at > 0) expect(last).not.toBe(turns[at - 1]?.[1]);
    expect(last?.entries[0]).toBe(turns[0]?.[1]?.entries[0]);
  }
});

test('a call that was begun and never asked for is gone when its message is complete', () => {
  const ids = { turn_id: 'turn_1', run_id: 'run_turn_1', item_id: 'item_turn_1_2', model_call_id: 'call_turn_1_1' } as const;
  const [started, said, completed] = answerStreams('turn_1', ['words']) as [SessionEvent, SessionEvent, SessionEvent];
  const begun: SessionEvent = { type: 'item.delta', data: { ...ids, position: 2, content: [{ type: 'tool_use', id: 'c1', name: 'find', content: '{' }] } };
  const live = createLiveTimeline();
  for (const view of viewsOf([...userSays('turn_1', 1, 'a'), ...runBegins('turn_1', 'a'), started, said, begun, completed]))
    expect(live(view)).toEqual(timelineOf(view));
});
