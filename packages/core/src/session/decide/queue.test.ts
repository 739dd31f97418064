/** The order of the queue (QO1, QO2). */
import { expect, it } from 'vitest';
import { cancel, modelDone, reorder, start, submit, turn } from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';

const three = [submit('a'), start(), submit('b'), submit('c'), submit('d')];
const queued = ['c', 'd', 'b'].map(turn);

it('is what a person says: each turn that moved is told its new place', () => {
  const moved = given(...three).when(reorder('c', 'd', 'b'));
  moved.thenEvents('turn.queued', 'turn.queued', 'turn.queued').thenState((state) => expect(state.queue.map(({ id }) => id)).toEqual(queued));
  moved.thenEvent('turn.queued', { turn_id: turn('c'), reason: 'reordered', queue_position: 1 });
  moved.thenEvent('turn.queued', { turn_id: turn('b'), reason: 'reordered', queue_position: 3 });
  given(...three)
    .when(reorder('b', 'd', 'c'))
    .thenEvents('turn.queued', 'turn.queued');
  given(...three)
    .when(reorder('b', 'c', 'd'))
    .thenEvents();
});
it('is the order in which turns start; what comes later stands behind', () => {
  given(...three, reorder('d', 'b', 'c'), submit('e'), modelDone('a'))
    .when(start())
    .thenLive({ id: turn('d') });
  given(...three, reorder('d', 'c', 'b'), submit('e'))
    .when(cancel('d'))
    .thenState((state) => {
      expect(state.queue.map(({ id }) => id)).toEqual(['c', 'b', 'e'].map(turn));
    });
});
it('is refused when it was made for another queue', () => {
  for (const order of [
    ['b', 'c'],
    ['b', 'c', 'd', 'a'],
    ['b', 'c', 'c'],
    ['b', 'c', 'x'],
  ]) {
    given(...three)
      .when(reorder(...order))
      .thenRefused('version_conflict', { turn_ids: ['b', 'c', 'd'].map(turn) });
  }
});
