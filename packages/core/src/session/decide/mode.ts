/**
 * The permission mode of a session, where it is not the one of its agent's definition.
 *
 * PM1 A mode that was set holds from the next step's calls on, on every node: what was asked for already stays asked. Setting the mode
 *     that holds already says nothing.
 */
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import type { SessionState } from '../state.ts';

export const decideSetMode = (state: SessionState, { mode, at }: Extract<Command, { type: 'set_mode' }>): Decision => {
  const out = draft(state, at);
  if (state.permissionMode !== mode) out.emit({ type: 'session.mode_changed', data: { permission_mode: mode } });
  return out.done();
};
