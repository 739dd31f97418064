/**
 * What can be done with a session, by what it is made of: the one table by which a server refuses, and pages offer.
 */

/** With an agent. */
const agentCapabilities = {
  steer: true,
  inject: true,
  actions: true,
  files: true,
  file_input: true,
  /** A turn may be given any JSON in place of messages; with an agent where the session has an `inputSchema`. */
  json_input: false,
  checkpoints: true,
  fork: true,
  subagents: true,
  budget: true,
  cancel: true,
  resume: true,
};

export type Capability = keyof typeof agentCapabilities;
type Capabilities = Readonly<Record<Capability, boolean>>;

export const allCapabilities = Object.keys(agentCapabilities) as readonly Capability[];

/** Each turn is a piece of work of its own, with no context before it and none after it. */
const teamCapabilities: Capabilities = { ...agentCapabilities, json_input: true, steer: false, inject: false, checkpoints: false, fork: false };

export const targetCapabilities: Readonly<Record<'agent' | 'team' | 'workflow', Capabilities & { readonly pause?: boolean }>> = {
  agent: agentCapabilities,
  team: teamCapabilities,
  workflow: { ...teamCapabilities, file_input: false, pause: true },
};
