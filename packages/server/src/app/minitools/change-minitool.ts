/** Use cases: the settings, users and secrets of a mini-tool, by admins; the agents of its containers, by its people, too. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { MinitoolAnswer, PatchMinitoolRequest } from '@turnkeeper/core/protocol/wire/minitools';
import type { DescribedMinitool, MinitoolLocale } from '../../ports/minitool-host.ts';
import type { MinitoolChanges, MinitoolRow } from '../../ports/minitools.ts';
import { unknownUsers } from '../administration.ts';
import { auditOf } from '../audit.ts';
import type { Caller, UserCaller } from '../caller.ts';
import { defaultSpace } from '../spaces.ts';
import { findAgent } from '../target-grants.ts';
import { findAdministered, findMinitool, noSuchMinitool } from './find-minitool.ts';
import { detailsOf } from './minitool-resource.ts';
import type { MinitoolServices } from './minitool-services.ts';
import { sealedName } from './sealed-name.ts';
import { sealedSettings } from './sealed-settings.ts';
import { changedSettings } from './setting-values.ts';

type Faults = readonly { readonly pointer: string; readonly detail: string }[];

const refuse = (errors: Faults): void => {
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '), { errors });
};

type Chosen = { readonly container: string; readonly agent: string | null };

/** Each agent by its id, as this person finds it: nobody chooses one that they do not see. Throws `validation_failed`. */
const changedAgents = async (
  { app }: MinitoolServices,
  user: UserCaller,
  row: MinitoolRow,
  described: DescribedMinitool,
  given: Readonly<Record<string, string | null>>,
): Promise<MinitoolRow['containerAgents']> => {
  const declared = new Set(described.containers.map(({ id }) => id));
  const looked = await Promise.all(
    Object.entries(given).map(async ([container, agent]): Promise<Chosen | Faults[number]> => {
      const pointer = `/containerAgents/${container}`;
      if (!declared.has(container)) return { pointer, detail: 'there is no such container' };
      const found = agent === null ? undefined : await findAgent(app, user, { type: 'agent', id: agent });
      if (agent !== null && !found) return { pointer, detail: `there is no agent ${agent}` };
      // Its other people would use it, who may be no members there.
      if (found && found.space !== defaultSpace && !user.admin) return { pointer, detail: `only an admin may choose an agent of the space ${found.space}` };
      return { container, agent: found?.id ?? null };
    }),
  );
  refuse(looked.flatMap((entry) => ('pointer' in entry ? [entry] : [])));
  const chosen = looked.flatMap((entry) => ('container' in entry ? [entry] : []));
  const all = { ...row.containerAgents, ...Object.fromEntries(chosen.map(({ container, agent }) => [container, agent])) };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
};

const checkUsers = async ({ app }: MinitoolServices, users: readonly string[]): Promise<void> => {
  const unknown = await unknownUsers(app, users);
  refuse(users.flatMap((id, at) => (unknown.has(id) ? [{ pointer: `/users/${at}`, detail: 'there is no such user' }] : [])));
};

/** Its people choose the agents of its containers and nothing else. */
const findChanged: (services: MinitoolServices, caller: Caller, id: string, body: PatchMinitoolRequest) => ReturnType<typeof findMinitool> = async (
  services,
  caller,
  id,
  body,
) => {
  const onlyAgents = body.containerAgents !== undefined && body.settings === undefined && body.users === undefined;
  return onlyAgents ? findMinitool(services, caller, id) : findAdministered(services, caller, id);
};

/** After other settings it is started again with them. Throws `not_found`, `forbidden`, `validation_failed`. */
export const changeMinitool = async (
  services: MinitoolServices,
  caller: Caller,
  id: string,
  body: PatchMinitoolRequest,
  locale: MinitoolLocale,
): Promise<MinitoolAnswer> => {
  const { user, row } = await findChanged(services, caller, id, body);
  const { app, identity, minitools, secretBox } = services;
  const described = await minitools.host.describe(row, locale);
  if (body.users) await checkUsers(services, body.users);
  const { fields } = described;
  const changes: MinitoolChanges = {
    ...(body.settings ? { settings: sealedSettings(secretBox, row, changedSettings(row.settings, body.settings as JsonObject, fields), fields) } : {}),
    ...(body.containerAgents ? { containerAgents: await changedAgents(services, user, row, described, body.containerAgents) } : {}),
    ...(body.users ? { users: body.users } : {}),
  };
  // Values may be secret: their names say what was done.
  const details = {
    ...(body.settings ? { settings: Object.keys(body.settings) } : {}),
    ...(changes.containerAgents ? { containerAgents: changes.containerAgents } : {}),
    ...(body.users ? { users: body.users } : {}),
  };
  const entry = auditOf(app, user, { action: 'minitool.changed', subject: `minitool:${id}`, details });
  if (!(await minitools.store.change(id, changes, app.clock.now(), entry))) throw noSuchMinitool();
  if (body.users) for (const each of new Set([...row.users, ...body.users])) identity.forgetUser(each);
  if (body.settings) await minitools.host.look(id, true);
  return { minitool: await detailsOf(minitools, user, { ...row, ...changes }, locale) };
};

const isDeclared = (declared: readonly string[], name: string): boolean =>
  declared.some((entry) => (entry.endsWith('.*') ? name.startsWith(entry.slice(0, -1)) && name.length > entry.length - 1 : entry === name));

const findSecret = async (services: MinitoolServices, caller: Caller, id: string, name: string): Promise<UserCaller> => {
  const { user, row } = await findAdministered(services, caller, id);
  const { permissions } = await services.minitools.host.describe(row, 'en-US');
  if (!isDeclared(permissions.secrets, name)) throw new TurnkeeperError('not_found', 'The mini-tool declares no secret of this name.');
  return user;
};

/** Only names that its manifest declares; the value is never read back. */
export const putMinitoolSecret = async (services: MinitoolServices, caller: Caller, id: string, name: string, value: string): Promise<void> => {
  const user = await findSecret(services, caller, id, name);
  const { app, minitools, secretBox } = services;
  const entry = auditOf(app, user, { action: 'minitool.secret_set', subject: `minitool:${id}`, details: { name } });
  await minitools.store.setSecret(id, name, secretBox.seal(sealedName(id, name), value), app.clock.now(), entry);
};

export const deleteMinitoolSecret = async (services: MinitoolServices, caller: Caller, id: string, name: string): Promise<void> => {
  const user = await findSecret(services, caller, id, name);
  const { app, minitools } = services;
  if ((await minitools.store.secret(id, name)) === undefined) throw new TurnkeeperError('not_found', 'This secret is not set.');
  const entry = auditOf(app, user, { action: 'minitool.secret_deleted', subject: `minitool:${id}`, details: { name } });
  await minitools.store.setSecret(id, name, null, app.clock.now(), entry);
};
