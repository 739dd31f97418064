/**
 * Sessions that want to run where mini-tools do.
 *
 * TO10 A session that a mini-tool owns, or whose agent has tools of mini-tools, runs on the node that hosts them. Other nodes leave it to
 *      that one, and give it back between two steps, for as long as there is one, and for a while after it went.
 *
 * The store passes over them by what it keeps of a session (`SessionStore.claim`), nodes give back by `wantsHost`: both must say the
 * same of one, or what was given back would be claimed again by the same node.
 */
import type { SessionRow } from '../ports/session-store.ts';
import type { FrozenConfig } from './frozen-config.ts';

/** By configuration, which are shared and never change. */
const known = new WeakMap<FrozenConfig, boolean>();

const namesMinitools = (config: FrozenConfig): boolean => {
  const found = known.get(config) ?? JSON.stringify(config).includes('"type":"minitool"');
  known.set(config, found);
  return found;
};

export type PlacedSession = { readonly row: Pick<SessionRow, 'owner'>; readonly config: FrozenConfig };

export const wantsHost = ({ row, config }: PlacedSession): boolean => row.owner.startsWith('minitool:') || namesMinitools(config);
