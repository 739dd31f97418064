/** Going on from a checkpoint, and beginning with another session's context. */
import { describe, expect, it } from 'vitest';
import {
  asks,
  call,
  cancel,
  dispatch,
  fail,
  inject,
  lost,
  modelDone,
  modelFailed,
  resume,
  start,
  submit,
  text,
  turn,
  turnWithCalls,
  type Wish,
} from '../../testing/commands.ts';
import { emptyStory, given, tell } from '../../testing/given.ts';
import { assemblePrompt, transcriptFault } from '../context.ts';

const restore: Wish = { type: 'restore_context', checkpointId: 'ckpt_a_1', fromTurn: turn('a'), upto: 8, reason: 'again' };
const initialize: Wish = {
  type: 'initialize_context',
  messages: [
    { role: 'user', content: [text('one')] },
    { role: 'assistant', content: [text('1')] },
  ],
  tokens: 40,
  reason: 'a trial',
};
const done = (name: string): readonly Wish[] => [submit(name), start(`please ${name}`), modelDone(`did ${name}`)];

describe('CX1 what is in the way of a restore is named', () => {
  const cases: readonly (readonly [string, readonly Wish[], readonly string[]])[] = [
    ['a running turn', [submit('a'), start()], ['running_turn']],
    ['a queued turn', [submit('a')], ['queued_turns']],
    ['an open action', turnWithCalls('a', call('c1', asks)), ['waiting_turn', 'open_actions']],
    ['an unknown result', [...turnWithCalls('a', call('c1')), dispatch('c1'), lost], ['waiting_turn', 'open_actions', 'unknown_results']],
    ['an input that was not used', [inject()], ['unapplied_inputs']],
  ];
  for (const [what, history, named] of cases)
    it(what, () => {
      given(...history)
        .when(restore)
        .thenRefused('session_busy', { in_the_way: named });
      const empty = history.every(({ type }) => type === 'inject');
      given(...history)
        .when(initialize)
        .thenRefused(empty ? 'session_busy' : 'fork_target_unfit');
    });
});

describe('a restore', () => {
  it('is a fact of its own: the context goes on from there, the history stays (CX2)', () => {
    const first = tell(emptyStory, done('a'));
    const upto = first.rows.at(-1)?.n ?? 0;
    const { rows, events } = tell(first, [...done('b'), { ...restore, upto } as Wish, ...done('c')]);
    expect(assemblePrompt(rows).map((message) => JSON.stringify(message.role === 'tool' ? '' : message.content))).toEqual(
      ['please a', 'did a', 'please c', 'did c'].map((said) => JSON.stringify([text(said)])),
    );
    expect(events.filter(({ type }) => type === 'session.restored').map(({ data }) => data)).toEqual([
      { checkpoint_id: 'ckpt_a_1', from_turn_id: turn('a'), reason: 'again' },
    ]);
  });
  it('to the middle of a turn says that it was not answered (C1)', () => {
    const { rows } = tell(emptyStory, [...done('a'), { ...restore, upto: 6 } as Wish, submit('b'), start('next')]);
    expect(transcriptFault(assemblePrompt(rows))).toBeUndefined();
    expect(assemblePrompt(rows).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
  it('lets no earlier turn be resumed (CX3)', () => {
    const failed = [submit('a'), start(), fail()];
    given(...failed)
      .when(resume('a'))
      .thenEvent('turn.queued', { reason: 'resumed' });
    given(...failed, restore)
      .when(resume('a'))
      .thenRefused('turn_not_resumable');
    given(...failed, restore)
      .when(cancel('a'))
      .thenRefused('turn_closed');
  });
});

describe('a session that begins with a context', () => {
  it('goes on from it', () => {
    const { rows } = tell(emptyStory, [initialize, ...done('b')]);
    expect(assemblePrompt(rows).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });
  it('is empty before, and not archived (CX4)', () => {
    given(initialize).when(initialize).thenRefused('fork_target_unfit', { why: 'not_empty' });
    given(...done('a'))
      .when(initialize)
      .thenRefused('fork_target_unfit', { why: 'not_empty' });
    given({ type: 'archive' }).when(initialize).thenRefused('session_archived');
  });
});

describe('a compaction', () => {
  const tooLong: Wish = { ...modelFailed({ retryable: false }), errorCode: 'context_length_exceeded', compacts: true } as Wish;
  const compact = (keepFrom: number): Wish => ({ type: 'compact', model: 'demo:test', summary: 'all of it', keepFrom, replaced: 2 });

  it('puts a summary in the place of what stood before, and counts its call (CP1, CP3)', () => {
    const first = tell(emptyStory, [...done('a'), submit('b'), start('please b')]);
    const keepFrom = first.rows.at(-1)?.n ?? 0;
    const { rows, events } = tell(first, [compact(keepFrom), modelDone('did b')]);
    expect(assemblePrompt(rows).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(JSON.stringify(assemblePrompt(rows))).not.toContain('please a');
    expect(events.filter(({ type }) => type === 'context.compacted').map(({ data }) => data)).toMatchObject([{ replaced_items: 2, model_call_id: 'call_b_1' }]);
    expect(events.findLast(({ type }) => type === 'usage.recorded')?.data).toMatchObject({ model_call_id: 'call_b_2' });
  });
  it('is owed when a prompt was too long, and helps once (CP2)', () => {
    const refused = given(...done('a'), submit('b'), start())
      .when(tooLong)
      .thenEvent('model.completed', { status: 'failed', error_code: 'context_length_exceeded' });
    refused.thenLive({ compaction: 'owed', modelFailures: 1 }).thenNot('turn.failed');
    given(...done('a'), submit('b'), start(), tooLong, compact(6))
      .when(tooLong)
      .thenEvent('turn.failed', { error_code: 'context_length_exceeded' });
    given(...done('a'), submit('b'), start(), tooLong, compact(6))
      .when(modelDone('did b'))
      .thenEvent('turn.completed', { output_text: 'did b' });
    // In a later step there is a first time again.
    given(...done('a'), submit('b'), start(), tooLong, compact(6), modelDone('', call('c1', { refusal: 'no' })))
      .when(tooLong)
      .thenLive({ compaction: 'owed' });
  });
  it('helps nothing where nothing can be replaced', () => {
    given(submit('b'), start())
      .when({ ...tooLong, compacts: false } as Wish)
      .thenEvent('turn.failed', { error_code: 'context_length_exceeded' });
  });
  it('is no part of a turn that is not at its model', () => {
    given(...turnWithCalls('a', call('c1')))
      .when(compact(1))
      .thenRefused('turn_closed');
    given(submit('a'), start(), cancel('a')).when(compact(1)).thenRefused('turn_closed');
    given(...done('a'))
      .when(compact(1))
      .thenRefused('turn_closed');
  });
});
