/** Use cases: what holds for all mini-tools, by admins: the agent of containers for which nobody chose one, and the language. */
import type { MinitoolDefaults, PutMinitoolDefaults } from '@turnkeeper/core/protocol/wire/minitools';
import { faultAt, requireAdmin } from '../administration.ts';
import { auditOf } from '../audit.ts';
import type { Caller, UserCaller } from '../caller.ts';
import { findAgent } from '../target-grants.ts';
import { localeSetting } from './locale-setting.ts';
import type { MinitoolServices } from './minitool-services.ts';

/** The name of the setting: an agent's id. */
export const defaultAgentSetting = 'minitools.default_agent';

type Services = Pick<MinitoolServices, 'app' | 'minitools'>;

const inForce = async ({ app, minitools }: Services): Promise<MinitoolDefaults> => {
  const [agent, set] = await Promise.all([app.catalog.setting(defaultAgentSetting), app.catalog.setting(localeSetting)]);
  return { defaultAgent: agent ?? null, locale: set === 'en-US' || set === 'zh-CN' ? set : null, localeInForce: minitools.host.locale };
};

/** Throws `forbidden`. */
export const readMinitoolDefaults = async (services: Services, caller: Caller): Promise<MinitoolDefaults> => {
  requireAdmin(caller, 'read the defaults of mini-tools');
  return inForce(services);
};

const setAgent = async ({ app }: Services, admin: UserCaller, agent: string | null): Promise<void> => {
  const found = agent === null ? undefined : await findAgent(app, admin, { type: 'agent', id: agent });
  if (agent !== null && !found) throw faultAt('/defaultAgent', `there is no agent ${agent}`);
  const id = found?.id ?? null;
  const entry = auditOf(app, admin, { action: 'minitool.default_agent_set', subject: `setting:${defaultAgentSetting}`, details: { agent: id } });
  await app.catalog.setSetting(defaultAgentSetting, id, entry);
};

const setLocale = async ({ app, minitools }: Services, admin: UserCaller, locale: MinitoolDefaults['locale']): Promise<void> => {
  const entry = auditOf(app, admin, { action: 'minitool.locale_set', subject: `setting:${localeSetting}`, details: { locale } });
  await app.catalog.setSetting(localeSetting, locale, entry);
  await minitools.host.localeChanged();
};

/**
 * What is named. An agent by its key or id; null takes either back. Sessions that are there keep their agent, and what they were told;
 * mini-tools that run are told of another language. Throws `forbidden`, `validation_failed`.
 */
export const putMinitoolDefaults = async (services: Services, caller: Caller, { defaultAgent, locale }: PutMinitoolDefaults): Promise<MinitoolDefaults> => {
  const admin = requireAdmin(caller, 'change the defaults of mini-tools');
  if (defaultAgent !== undefined) await setAgent(services, admin, defaultAgent);
  if (locale !== undefined) await setLocale(services, admin, locale);
  return inForce(services);
};
