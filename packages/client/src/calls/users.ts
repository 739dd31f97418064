/** The people of an installation. Admins manage them; everybody may change their own password and name. */
import type { CreateUserRequest, PatchUserRequest, SetPasswordRequest, UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, type PageQuery, part } from './paths.ts';

type UserAnswer = { readonly user: UserResource };
export type NewUser = Pick<CreateUserRequest, 'username'> & Partial<CreateUserRequest>;

export type UserCalls = {
  readonly list: (query?: PageQuery) => Promise<Page<UserResource>>;
  readonly get: (userId: string) => Promise<UserResource>;
  readonly create: (user: NewUser) => Promise<UserResource>;
  readonly patch: (userId: string, change: PatchUserRequest) => Promise<UserResource>;
  /** One's own wants `currentPassword`, where there is one. */
  readonly setPassword: (userId: string, change: SetPasswordRequest) => Promise<void>;
};

const usersPath = `${api}/users`;
const userPath = (userId: string): string => `${usersPath}/${part(userId)}`;

export const createUserCalls = ({ request }: Transport): UserCalls => ({
  list: (query) => request('GET', usersPath, query ? { query } : {}),
  get: async (id) => (await request<UserAnswer>('GET', userPath(id))).user,
  create: async (body) => (await request<UserAnswer>('POST', usersPath, { body })).user,
  patch: async (id, body) => (await request<UserAnswer>('PATCH', userPath(id), { body })).user,
  setPassword: async (id, body) => {
    await request('PUT', `${userPath(id)}/password`, { body });
  },
});
