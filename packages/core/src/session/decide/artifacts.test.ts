import { describe, expect, it } from 'vitest';
import { cancel, deleteArtifact, lost, modelDone, publishArtifact, restart, start, submit } from '../../testing/commands.ts';
import { emptyStory, tell } from '../../testing/given.ts';

const running = [submit('a'), start()];

describe('artifacts', () => {
  it('are published and deleted outside of turns at any time', () => {
    const story = tell(emptyStory, [publishArtifact(1), submit('a'), start(), deleteArtifact(1)]);
    expect(story.events.filter(({ type }) => type.startsWith('artifact.'))).toMatchObject([
      { type: 'artifact.published', data: { artifact_id: 'art_1', name: 'result-1.txt', file_id: 'file_1' } },
      { type: 'artifact.deleted', data: { artifact_id: 'art_1' } },
    ]);
    for (const { data } of story.events.filter(({ type }) => type.startsWith('artifact.'))) expect(data).not.toHaveProperty('turn_id');
  });

  it('of a turn are published while it runs, and then only (S50)', () => {
    const refused = [
      tell(emptyStory, [submit('a')]),
      tell(emptyStory, [...running, lost]),
      tell(emptyStory, [...running, modelDone('done')]),
      tell(emptyStory, [...running, modelDone('done'), submit('b'), start()]),
    ];
    for (const story of refused) expect(() => tell(story, [publishArtifact(1, 'a')])).toThrow('turn_closed');
    const again = tell(emptyStory, [...running, lost, restart(), publishArtifact(1, 'a')]);
    expect(again.events.at(-1)).toMatchObject({ type: 'artifact.published', data: { turn_id: 'turn_a', artifact_id: 'art_1' } });
    expect(Object.keys(again.events.at(-1)?.data ?? {})[0]).toBe('turn_id');
    expect(tell(emptyStory, [...running, cancel('a'), publishArtifact(1, 'a')]).events.at(-1)?.type).toBe('artifact.published');
  });

  it('of a turn that has ended are deleted without a word in its log (S50)', () => {
    const story = tell(emptyStory, [...running, publishArtifact(1, 'a')]);
    expect(tell(story, [deleteArtifact(1, 'a')]).events.at(-1)).toMatchObject({ type: 'artifact.deleted', data: { turn_id: 'turn_a' } });
    const ended = tell(story, [modelDone('done'), deleteArtifact(1, 'a')]).events.at(-1);
    expect(ended?.data).toEqual({ artifact_id: 'art_1' });
  });
});
