/** Artifacts in the view. One that was deleted is kept, marked, and not shown any more. */
import type { Artifact, EventData } from '../session/events.ts';

export type ArtifactBody = Artifact & {
  readonly turn_id?: string;
  readonly status: 'published' | 'deleted';
  /** Unix milliseconds. */
  readonly created_at: number;
};

export const artifactPublished = (data: EventData<'artifact.published'>, at: number): ArtifactBody => ({ ...data, status: 'published', created_at: at });

export const artifactDeleted = (body: ArtifactBody | undefined): ArtifactBody | undefined => body && { ...body, status: 'deleted' };
