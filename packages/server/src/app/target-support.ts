/**
 * What can be done with a session: what `/capabilities` shows, and by which every use case refuses.
 *
 * Does not own: the table by target (core/session/target-capabilities).
 *
 * QS1 What `/capabilities` of a team or a workflow says no to is refused with `not_supported` wherever it is asked for, before anything
 *     else of the request is looked at; so nothing that such a session never uses is kept for it.
 * QS2 Their children are agents' sessions like any other, and do what these do.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { allCapabilities, type Capability, targetCapabilities } from '@turnkeeper/core/session/target-capabilities';
import { isChild } from './is-child.ts';
import type { Session } from './lane.ts';

/** A child has one turn, whose limits are its tree's: nothing is kept for a next one (IN6, CX5). */
const childLacks = { inject: false, json_input: false, checkpoints: false, budget: false };

/** Of a session that was brought back from an export. */
const nothing = Object.fromEntries(allCapabilities.map((name) => [name, false]));

export const capabilitiesOf = ({ row, config }: Pick<Session, 'row' | 'config'>): Readonly<Record<string, boolean>> => {
  if (config.imported) return nothing;
  const ofTarget = targetCapabilities[config.target.type];
  const all = config.schemas?.input ? { ...ofTarget, json_input: true } : ofTarget;
  return isChild(row) ? { ...all, ...childLacks, ...('pause' in all ? { pause: false } : {}) } : all;
};

/** Whether a session of this target may do it; what a child or a record may not is refused where it is found (find-session.ts) and decided. */
export const targetSupports = ({ config: { target } }: Pick<Session, 'config'>, what: Capability): boolean => targetCapabilities[target.type][what];

/** Throws `not_supported` (QS1). */
export const requireSupport = (session: Pick<Session, 'config'>, what: Capability): void => {
  const { type } = session.config.target;
  if (!targetSupports(session, what))
    throw new TurnkeeperError('not_supported', `A session with a ${type} does not support this: ${refusals[what] ?? what}.`, {
      capability: what,
      target: type,
    });
};

const refusals: Partial<Record<Capability, string>> = {
  steer: 'nothing is said to a turn that is under way; answer its actions, or cancel it and submit another one',
  inject: 'its turns take over nothing from one another; give the turn all that it is to know',
  checkpoints: 'its turns have no context in common that one could go on from',
  fork: 'there is no context to begin another session with; create one with the same target',
};
