/** Secrets that definitions refer to by name. Their values go in and never come out. */
import type { SecretResource } from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, part } from './paths.ts';

export type SecretCalls = {
  readonly list: () => Promise<Page<SecretResource>>;
  /** Sets it, or replaces what was there. */
  readonly put: (name: string, value: string) => Promise<void>;
  readonly delete: (name: string) => Promise<void>;
};

const secretsPath = `${api}/secrets`;

export const createSecretCalls = ({ request }: Transport): SecretCalls => ({
  list: () => request('GET', secretsPath),
  put: async (name, value) => {
    await request('PUT', `${secretsPath}/${part(name)}`, { body: { value } });
  },
  delete: (name) => request('DELETE', `${secretsPath}/${part(name)}`),
});
