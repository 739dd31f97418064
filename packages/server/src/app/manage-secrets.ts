/** Use cases: secrets, by admins. A value goes in and never comes out again. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SecretResource } from '@turnkeeper/core/protocol/wire/identity';
import type { SecretRow } from '../ports/catalog.ts';
import { allOf, type Items, requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import type { SecretBox } from './secrets.ts';

const secretResource = ({ name, updatedAt, updatedBy }: SecretRow): SecretResource => ({ name, updatedAt, updatedBy });
const noSuchSecret = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such secret.');
const what = 'see and set secrets';

export const listSecrets = async (app: App, caller: Caller): Promise<Items<SecretResource>> => {
  requireAdmin(caller, what);
  return allOf((await app.catalog.secrets()).map(secretResource));
};

export const readSecret = async (app: App, caller: Caller, name: string): Promise<SecretResource> => {
  requireAdmin(caller, what);
  const row = await app.catalog.secret(name);
  if (!row) throw noSuchSecret();
  return secretResource(row);
};

/** Sets a secret, new or known. */
export const putSecret = async (app: App, box: SecretBox, caller: Caller, name: string, value: string): Promise<SecretResource> => {
  const admin = requireAdmin(caller, what);
  const row: SecretRow = { name, ciphertext: box.seal(name, value), updatedAt: app.clock.now(), updatedBy: admin.id };
  await app.catalog.putSecret(row, auditOf(app, admin, { action: 'secret.set', subject: `secret:${name}` }));
  return secretResource(row);
};

export const deleteSecret = async (app: App, caller: Caller, name: string): Promise<void> => {
  const admin = requireAdmin(caller, what);
  if (!(await app.catalog.deleteSecret(name, auditOf(app, admin, { action: 'secret.deleted', subject: `secret:${name}` })))) throw noSuchSecret();
};
