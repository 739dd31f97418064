/** Who submits a turn, as its log says. */
import type { Submitter } from '@turnkeeper/core/session/events';
import { type Caller, isClient, ownerOf } from './caller.ts';

/** The key is named by its id; of a browser, whose tokens come and go, it is the one that its token was made with. */
export const submitterOf = (caller: Caller): Submitter => {
  const { credentialId } = isClient(caller) ? caller.issuer : caller;
  return { submitted_by: ownerOf(caller), ...(credentialId === null ? {} : { credential_id: credentialId }) };
};
