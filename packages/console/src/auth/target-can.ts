/** What a session with this target can be asked for, so that nothing is shown that would be refused whoever asks. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { targetCapabilities } from '@turnkeeper/core/session/target-capabilities';

export type TargetCan = {
  /** Saying something to a turn that is under way. */
  readonly steer: boolean;
  /** Going on from where its context once was: forks and checkpoints. */
  readonly fork: boolean;
  /** Files beside a message. */
  readonly files: boolean;
  /** A JSON object in place of a message. */
  readonly json: boolean;
  /** Holding a turn, so that nothing new of it begins until it is resumed. */
  readonly pause: boolean;
};

const nothing: TargetCan = { steer: false, fork: false, files: false, json: false, pause: false };

/** Until it is known what the session is for, it is taken to be an agent's, as most are. */
export const targetCan = (session: Pick<SessionResource, 'target' | 'imported'> | undefined): TargetCan =>
  session?.imported ? nothing : canOf(session?.target.type ?? 'agent');

/** Of a new session, which is no record. */
export const canOf = (type: SessionResource['target']['type']): TargetCan => {
  const { steer, fork, file_input: files, json_input: json, pause = false } = targetCapabilities[type];
  return { steer, fork, files, json, pause };
};
