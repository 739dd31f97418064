/**
 * Artifacts: what a session shows as its results.
 *
 * S50 An artifact of a turn is published while the turn runs, or not at all: nothing follows an outcome. That it was deleted
 *     is said in the turn's own log only while the turn is unfinished.
 */
import { refuse } from '../../protocol/errors.ts';
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import type { SessionState } from '../state.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export const decidePublishArtifact = (state: SessionState, { turnId, artifact, at }: Of<'publish_artifact'>): Decision => {
  if (turnId !== undefined && (state.live?.id !== turnId || state.live.status !== 'running')) return refuse('turn_closed', 'The turn does not run any more.');
  const out = draft(state, at);
  out.emit({ type: 'artifact.published', data: { ...(turnId === undefined ? {} : { turn_id: turnId }), ...artifact } });
  return out.done();
};

export const decideDeleteArtifact = (state: SessionState, { artifactId, turnId, at }: Of<'delete_artifact'>): Decision => {
  const out = draft(state, at);
  const ofLive = turnId !== undefined && state.live?.id === turnId;
  out.emit({ type: 'artifact.deleted', data: { ...(ofLive ? { turn_id: turnId } : {}), artifact_id: artifactId } });
  return out.done();
};
