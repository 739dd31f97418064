/** Teams: a leader, and the members to whom it delegates. */
import type { TeamDefinition, TeamMember, TeamResource } from '@turnkeeper/core/protocol/wire/teams';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, type PageQuery, part } from './paths.ts';

export type TeamAnswer = { readonly team: TeamResource };
export type TeamVersion = { readonly version: number; readonly definition: TeamDefinition; readonly createdAt: number; readonly createdBy: string };
/** As they are sent: what has a default may be left out. */
export type NewTeamMember = Pick<TeamMember, 'name' | 'agentId' | 'role' | 'timeoutSeconds'> & {
  readonly description?: string;
  readonly retry?: { readonly maxAttempts: number; readonly backoffSeconds?: number };
};
export type NewTeam = {
  readonly name: string;
  readonly description?: string;
  readonly space?: string;
  readonly leader: { readonly agentId: string };
  readonly members: readonly NewTeamMember[];
  readonly maxParallel?: number;
};
/** What is not given stays as it is. */
export type TeamChange = Partial<Omit<NewTeam, 'space' | 'maxParallel'>> & { readonly version: number; readonly maxParallel?: number | null };

export type TeamCalls = {
  readonly create: (team: NewTeam) => Promise<TeamAnswer>;
  readonly list: (query?: PageQuery) => Promise<Page<TeamResource>>;
  readonly get: (teamId: string) => Promise<TeamAnswer>;
  /** Makes version `version` + 1; a stale `version` is refused with `version_conflict`. */
  readonly patch: (teamId: string, change: TeamChange) => Promise<TeamAnswer>;
  readonly versions: (teamId: string) => Promise<Page<TeamVersion>>;
  readonly version: (teamId: string, version: number) => Promise<TeamVersion>;
};

const path = (id: string): string => `${api}/teams/${part(id)}`;

export const createTeamCalls = ({ request }: Transport): TeamCalls => ({
  create: (body) => request('POST', `${api}/teams`, { body }),
  list: (query) => request('GET', `${api}/teams`, query ? { query } : {}),
  get: (id) => request('GET', path(id)),
  patch: (id, body) => request('PATCH', path(id), { body }),
  versions: (id) => request('GET', `${path(id)}/versions`),
  version: (id, version) => request('GET', `${path(id)}/versions/${version}`),
});
