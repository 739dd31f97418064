/** The output of a turn whose session says what it must be: OU1, OU2. And S25. */
import { describe, expect, it } from 'vitest';
import { call, cancel, dispatch, fail, modelDone, restart, resume, rules, start, steer, submit, toolDone } from '../../testing/commands.ts';
import { given, givenWith } from '../../testing/given.ts';
import type { JudgedOutput } from '../commands.ts';
import { assemblePrompt, transcriptFault } from '../context.ts';
import { pendingWork } from '../pending-work.ts';

const fits: JudgedOutput = { ok: true, result: { city: 'Rome' } };
const unfit: JudgedOutput = { ok: false, errorCode: 'output_schema_violation', faults: ['/city: is missing'], repair: 'Say it again.' };
const unmapped: JudgedOutput = { ok: false, errorCode: 'output_mapping_failed', faults: ['/town leads to nothing'] };
const says = (output: JudgedOutput, say = '{}') => ({ ...modelDone(say), output });
const begun = [submit('a'), start()];

describe('an answer', () => {
  it('that fits ends the turn with its value', () => {
    given(...begun)
      .when(says(fits))
      .thenEvent('item.completed', { final_output: true })
      .thenEvent('turn.completed', { result: { city: 'Rome' }, output_text: '{}' });
  });

  it('that does not fit is told to the model once, behind its answer', () => {
    const then = given(...begun).when(says(unfit));
    then
      .thenEvents('item.completed', 'usage.recorded')
      .thenEvent('item.completed', { output_faults: ['/city: is missing'] })
      .thenLive({ status: 'running', repairs: true });
    const { rows, state } = then.story();
    const prompt = assemblePrompt(rows);
    expect(transcriptFault(prompt)).toBeUndefined();
    expect(prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'Say it again.' }] });
    expect(pendingWork(state)).toMatchObject([{ kind: 'model' }]);
  });

  it('that fits at the second try ends the turn; one that does not fails it', () => {
    given(...begun, says(unfit))
      .when(says(fits))
      .thenEvent('turn.completed', { result: { city: 'Rome' } });
    given(...begun, says(unfit))
      .when(says(unfit))
      .thenEvents('item.completed', 'usage.recorded', 'run.ended', 'turn.failed', 'session.status_idle')
      .thenEvent('turn.failed', { error_code: 'output_schema_violation', retryable: false });
  });

  it('gets no second try without a step for it, nor where no other words could help', () => {
    givenWith(rules({ maxSteps: 1 }), ...begun)
      .when(says(unfit))
      .thenEvent('turn.failed', { error_code: 'output_schema_violation' });
    given(...begun)
      .when(says(unmapped))
      .thenEvent('turn.failed', { error_code: 'output_mapping_failed' });
  });

  it('is not judged while there is something that the model has not heard, nor after a cancel', () => {
    given(...begun, steer('a'))
      .when(says(unfit))
      .thenNot('turn.failed')
      .thenLive({ answered: true });
    given(...begun, cancel('a'))
      .when(says(unfit))
      .thenEvent('turn.cancelled', {});
  });

  it('may come after tools that its second try wants', () => {
    given(...begun, says(unfit), modelDone('', call('c1')), dispatch('c1'), toolDone('c1'))
      .when(says(unfit))
      .thenEvent('turn.failed', { error_code: 'output_schema_violation' });
  });

  it('of a resumed turn has its own second try', () => {
    const failed = given(...begun, says(unfit))
      .when(says(unfit))
      .story();
    expect(failed.state.last).not.toHaveProperty('repairs');
    given(...begun, says(unfit), says(unfit), resume('a'), restart())
      .when(says(unfit))
      .thenLive({ status: 'running', repairs: true });
  });
});

describe('S25: a failed turn that is resumed', () => {
  it('keeps its running time, and begins its steps anew', () => {
    given(submit('a'), { ...start(), at: 2_000 }, { ...fail(), at: 62_000 })
      .when({ ...resume('a'), at: 500_000 })
      .thenLive({ ranMs: 60_000, steps: 0, status: 'queued' });
  });

  it('is none once a later turn has started', () => {
    given(submit('a'), submit('b'), start(), fail(), start()).when(resume('a')).thenRefused('turn_not_resumable');
    given(submit('a'), submit('b'), start(), fail(), start(), fail()).when(resume('a')).thenRefused('turn_not_resumable');
    given(submit('a'), submit('b'), start(), fail(), start(), fail()).when(resume('b')).thenEvent('turn.queued', { reason: 'resumed' });
  });
});
