/** Spaces: where sessions and agents are shown, and to whom. */
import type { CreateSpaceRequest, SpaceMemberResource, SpaceResource, SpaceRole } from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, type PageQuery, part } from './paths.ts';

type SpaceAnswer = { readonly space: SpaceResource };

export type SpaceCalls = {
  readonly list: (query?: PageQuery) => Promise<Page<SpaceResource>>;
  readonly create: (space: CreateSpaceRequest) => Promise<SpaceResource>;
  readonly rename: (spaceId: string, name: string) => Promise<SpaceResource>;
  readonly members: (spaceId: string, query?: PageQuery) => Promise<Page<SpaceMemberResource>>;
  /** Adds the member, or changes its role. */
  readonly putMember: (spaceId: string, userId: string, role?: SpaceRole) => Promise<void>;
  readonly removeMember: (spaceId: string, userId: string) => Promise<void>;
};

const spacesPath = `${api}/spaces`;
const spacePath = (spaceId: string): string => `${spacesPath}/${part(spaceId)}`;
const memberPath = (spaceId: string, userId: string): string => `${spacePath(spaceId)}/members/${part(userId)}`;

export const createSpaceCalls = ({ request }: Transport): SpaceCalls => ({
  list: (query) => request('GET', spacesPath, query ? { query } : {}),
  create: async (body) => (await request<SpaceAnswer>('POST', spacesPath, { body })).space,
  rename: async (id, name) => (await request<SpaceAnswer>('PATCH', spacePath(id), { body: { name } })).space,
  members: (id, query) => request('GET', `${spacePath(id)}/members`, query ? { query } : {}),
  putMember: async (spaceId, userId, role = 'member') => {
    await request('PUT', memberPath(spaceId, userId), { body: { role } });
  },
  removeMember: (spaceId, userId) => request('DELETE', memberPath(spaceId, userId)),
});
