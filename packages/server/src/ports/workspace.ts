/**
 * Port: the files of a session as its agent sees them, by path.
 *
 * L7 A path is a name in the session's own table (core/protocol/workspace-path), so there is nothing outside that it could
 *    lead to. Writing the same again, or publishing by the same call again, changes nothing more.
 * L8 What is written takes the place of what was at the path when the write began, and of nothing newer; once `signal` has aborted
 *    nothing is put or published. So a call that was given up and comes late undoes nothing.
 * L9 A session works in its own workspace, or in the one in which the session worked whose context it was made with: which it is is
 *    frozen with it. What was uploaded to it is its own all the same, and what it publishes is.
 */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';

export type WorkspaceFile = { readonly path: string; readonly size: number; readonly mediaType: string; readonly fileId: string };
export type PublishedArtifact = { readonly artifactId: string; readonly name: string; readonly size: number };
/** The call that publishes. */
export type PublishingCall = { readonly sessionId: SessionId; readonly turnId: TurnId; readonly callId: string; readonly signal: AbortSignal };

export interface Workspace {
  /** In the order of their paths. */
  list(sessionId: SessionId): Promise<readonly WorkspaceFile[]>;
  /** Undefined: there is no such file. */
  read(sessionId: SessionId, path: string): Promise<{ readonly file: WorkspaceFile; readonly bytes: Uint8Array } | undefined>;
  /** Throws what is wrong with the path, which limit is met, or that another was written there meanwhile (L8). */
  write(sessionId: SessionId, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<WorkspaceFile>;
  /** As it is now: what is written at the path later does not change it. Undefined: there is no such file. */
  publish(call: PublishingCall, path: string, name: string | undefined): Promise<PublishedArtifact | undefined>;
}
