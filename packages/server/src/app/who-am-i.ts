/** Use case: what a credential is, as it says of itself. */
import type { MeAnswer } from '@turnkeeper/core/protocol/wire/identity';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { activeUser } from './look-up-caller.ts';
import { userResource } from './manage-users.ts';

export const whoAmI = async (app: App, caller: Caller): Promise<MeAnswer> => {
  if (caller.type === 'user') return { user: userResource(await activeUser(app.catalog, caller.id)) };
  if (caller.type === 'client') {
    const { id, sessionId, scopes } = caller;
    return { client: { id, sessionId, scopes: [...scopes] } };
  }
  // It has no credential, so no request comes from it.
  if (caller.type === 'minitool') return {};
  const { id, name, credentialId, scopes, targets } = caller;
  const grants = targets.map((target) => ({ type: target.type, id: target.id }));
  return { key: { id: credentialId ?? '', applicationId: id, applicationName: name, scopes: [...scopes], targets: grants } };
};
