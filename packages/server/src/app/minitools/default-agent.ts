/** Use cases: the agent that containers of mini-tools run on where nobody chose one for them, by admins. */
import type { MinitoolDefaults } from '@turnkeeper/core/protocol/wire/minitools';
import { faultAt, requireAdmin } from '../administration.ts';
import { auditOf } from '../audit.ts';
import type { Caller } from '../caller.ts';
import { findAgent } from '../target-grants.ts';
import type { MinitoolServices } from './minitool-services.ts';

/** The name of the setting: an agent's id. */
export const defaultAgentSetting = 'minitools.default_agent';

type Services = Pick<MinitoolServices, 'app'>;

/** Throws `forbidden`. */
export const readMinitoolDefaults = async ({ app }: Services, caller: Caller): Promise<MinitoolDefaults> => {
  requireAdmin(caller, 'read the defaults of mini-tools');
  return { defaultAgent: (await app.catalog.setting(defaultAgentSetting)) ?? null };
};

/** An agent by its key or id; null takes it back. Sessions that are there stay on theirs. Throws `forbidden`, `validation_failed`. */
export const putMinitoolDefaults = async ({ app }: Services, caller: Caller, { defaultAgent }: MinitoolDefaults): Promise<MinitoolDefaults> => {
  const admin = requireAdmin(caller, 'change the defaults of mini-tools');
  const found = defaultAgent === null ? undefined : await findAgent(app, admin, { type: 'agent', id: defaultAgent });
  if (defaultAgent !== null && !found) throw faultAt('/defaultAgent', `there is no agent ${defaultAgent}`);
  const id = found?.id ?? null;
  const entry = auditOf(app, admin, { action: 'minitool.default_agent_set', subject: `setting:${defaultAgentSetting}`, details: { agent: id } });
  await app.catalog.setSetting(defaultAgentSetting, id, entry);
  return { defaultAgent: id };
};
