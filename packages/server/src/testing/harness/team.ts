/** Sessions with a team, for tests. */
import type { TeamMember } from '@turnkeeper/core/protocol/wire/teams';
import { createSession } from '../../app/create-session.ts';
import { createTeam } from '../../app/manage-teams.ts';
import { type AgentSketch, ann, type Client, fresh, userCaller } from './client.ts';
import type { World } from './world.ts';

/** A member, and the agent behind it. */
export type MemberSketch = Partial<Pick<TeamMember, 'role' | 'description' | 'timeoutSeconds' | 'retry'>> & { readonly agent?: AgentSketch };
export type TeamSketch = {
  readonly leader?: AgentSketch;
  readonly members?: Readonly<Record<string, MemberSketch>>;
  readonly maxParallel?: number;
  readonly timeoutSeconds?: number;
  readonly maxTokens?: number;
};

/** `mia` and `max` unless said otherwise. */
export const teamSession = async (world: World, client: Client, { members = { mia: {}, max: {} }, ...team }: TeamSketch = {}): Promise<string> => {
  const { app } = world.engine;
  const named: TeamMember[] = [];
  for (const [name, { agent = {}, role = 'helper', description = '', ...more }] of Object.entries(members)) {
    named.push({ name, role, description, agentId: await client.agent(agent), ...more });
  }
  const body = {
    ...{ name: fresh('Team'), description: '', leader: { agentId: await client.agent(team.leader) }, members: named },
    ...(team.maxParallel === undefined ? {} : { maxParallel: team.maxParallel }),
  };
  const made = await createTeam(app, userCaller('admin', { admin: true }), body);
  const session = {
    target: { type: 'team' as const, id: made.team.id },
    ...(team.timeoutSeconds === undefined ? {} : { timeoutSeconds: team.timeoutSeconds }),
    ...(team.maxTokens === undefined ? {} : { budget: { maxTokens: team.maxTokens } }),
  };
  return (await createSession(app, ann, session as never, fresh('create'))).answer.id;
};

/** What a leader says to have a piece done. */
export const delegate = (member: string, message: string, more: Readonly<Record<string, unknown>> = {}) => ({
  call: 'delegate',
  input: { member, message, ...more },
});
