/** Applications and their keys. */
import type {
  ApplicationResource,
  CreateApplicationRequest,
  CreateCredentialRequest,
  CreatedCredential,
  CredentialResource,
  PatchApplicationRequest,
} from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, type PageQuery, part } from './paths.ts';

type ApplicationAnswer = { readonly application: ApplicationResource };
export type NewApplication = Pick<CreateApplicationRequest, 'name'> & Partial<CreateApplicationRequest>;

export type ApplicationCalls = {
  readonly list: (query?: PageQuery) => Promise<Page<ApplicationResource>>;
  readonly get: (applicationId: string) => Promise<ApplicationResource>;
  readonly create: (application: NewApplication) => Promise<ApplicationResource>;
  /** A stale `version` is refused with `version_conflict`; `members` replace the ones before. */
  readonly patch: (applicationId: string, change: PatchApplicationRequest) => Promise<ApplicationResource>;
};

export type CredentialCalls = {
  readonly list: (applicationId: string, query?: PageQuery) => Promise<Page<CredentialResource>>;
  /** `apiKey` is shown in this answer and never again. */
  readonly create: (applicationId: string, credential: CreateCredentialRequest) => Promise<CreatedCredential>;
  /** A new key with the rights of the old one, which goes on working until it is revoked. Without `expiresAt` the expiry stays, too. */
  readonly rotate: (applicationId: string, credentialId: string, change?: { readonly expiresAt?: number | null }) => Promise<CreatedCredential>;
  readonly revoke: (applicationId: string, credentialId: string) => Promise<void>;
};

const applicationsPath = `${api}/applications`;
const applicationPath = (id: string): string => `${applicationsPath}/${part(id)}`;
const credentialsPath = (applicationId: string): string => `${applicationPath(applicationId)}/credentials`;

export const createApplicationCalls = ({ request }: Transport): ApplicationCalls => ({
  list: (query) => request('GET', applicationsPath, query ? { query } : {}),
  get: async (id) => (await request<ApplicationAnswer>('GET', applicationPath(id))).application,
  create: async (body) => (await request<ApplicationAnswer>('POST', applicationsPath, { body })).application,
  patch: async (id, body) => (await request<ApplicationAnswer>('PATCH', applicationPath(id), { body })).application,
});

export const createCredentialCalls = ({ request }: Transport): CredentialCalls => ({
  list: (id, query) => request('GET', credentialsPath(id), query ? { query } : {}),
  create: (id, body) => request('POST', credentialsPath(id), { body }),
  rotate: (id, credentialId, body = {}) => request('POST', `${credentialsPath(id)}/${part(credentialId)}/rotate`, { body }),
  revoke: (id, credentialId) => request('DELETE', `${credentialsPath(id)}/${part(credentialId)}`),
});
