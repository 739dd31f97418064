/**
 * Use cases: a mini-tool comes, is started, is stopped, and goes. All by admins.
 *
 * MI1 One that was installed is disabled: nothing of it runs before a person has agreed to its permissions.
 * MI2 Whoever enables it sends back the permissions that were shown. Where the manifest says something else by then it is refused with
 *     what differs, so that nobody agrees to what changed meanwhile.
 * MI4 An id is no proof of who wrote it: one that comes from elsewhere than before gets nothing of what is kept under its id, not even a
 *     run, until somebody agrees.
 * MI3 One that gets a version which asks for more than was agreed to is disabled until somebody agrees to that.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { InstallMinitoolRequest, MinitoolAnswer } from '@turnkeeper/core/protocol/wire/minitools';
import type { MinitoolLocale, MinitoolPermissions, MinitoolSource, PlacedMinitool } from '../../ports/minitool-host.ts';
import type { MinitoolChanges, MinitoolRow } from '../../ports/minitools.ts';
import { faultAt, requireAdmin } from '../administration.ts';
import { auditOf } from '../audit.ts';
import type { Caller, UserCaller } from '../caller.ts';
import { findAdministered, noSuchMinitool } from './find-minitool.ts';
import { detailsOf } from './minitool-resource.ts';
import type { MinitoolServices } from './minitool-services.ts';
import { differences, isCovered } from './permission-words.ts';

/** `npm:@scope/name@1.2.3` has two `@`. */
const npmParts = (text: string): { readonly name: string; readonly version: string | undefined } => {
  const at = text.indexOf('@', 1);
  return at < 0 ? { name: text, version: undefined } : { name: text.slice(0, at), version: text.slice(at + 1) };
};

const sourceOf = ({ source, link = false }: InstallMinitoolRequest): MinitoolSource => {
  const colon = source.indexOf(':');
  const rest = source.slice(colon + 1);
  if (source.slice(0, colon) === 'folder') return { kind: 'folder', path: rest, linked: link };
  if (link) throw faultAt('/link', 'goes with a folder only');
  return { kind: 'npm', ...npmParts(rest) };
};

const answerFor = async (services: MinitoolServices, user: UserCaller, id: string, locale: MinitoolLocale): Promise<MinitoolAnswer> => {
  const row = await services.minitools.store.minitool(id);
  if (!row) throw noSuchMinitool();
  return { minitool: await detailsOf(services.minitools, user, row, locale) };
};

const audited = ({ app }: MinitoolServices, user: UserCaller, action: string, id: string, details: JsonObject = {}) =>
  auditOf(app, user, { action: `minitool.${action}`, subject: `minitool:${id}`, details });

const aboutVersion = ({ version, source }: Pick<MinitoolRow, 'version' | 'source'>): JsonObject => ({ version, source });

type Act = { readonly action: string; readonly details?: JsonObject };

/** Writes a change and its entry; throws `not_found` where it was removed meanwhile. */
const change = async (services: MinitoolServices, user: UserCaller, id: string, changes: MinitoolChanges, { action, details = {} }: Act): Promise<void> => {
  const entry = audited(services, user, action, id, details);
  if (!(await services.minitools.store.change(id, changes, services.app.clock.now(), entry))) throw noSuchMinitool();
};

/** Where a package comes from, whatever its version: the name at npm, the folder, the file's name before its version. */
const originOf = (source: string): string => {
  const colon = source.indexOf(':');
  const kind = source.slice(0, colon);
  const rest = source.slice(colon + 1);
  if (kind === 'npm') return `npm:${npmParts(rest).name}`;
  return kind === 'file' ? `file:${rest.replace(/-\d+\.\d+\.\d+.*$|\.tgz$/, '')}` : `folder:${rest}`;
};

/** Why an enabled one is not run as it is now; undefined where it may. */
const stoppedBy = (row: MinitoolRow, { source }: PlacedMinitool, isAgreed: boolean): string | undefined => {
  if (originOf(source) !== originOf(row.source)) return `It comes from elsewhere now (${source}, before: ${row.source}).`;
  return isAgreed ? undefined : 'Its new version asks for more than was agreed to.';
};

/** The new files in place of the old ones; what it keeps stays, and so does whether it runs, as far as that was agreed to (MI3). */
const update = async (services: MinitoolServices, user: UserCaller, row: MinitoolRow, placed: PlacedMinitool): Promise<void> => {
  const { permissions } = await services.minitools.host.describe(placed, 'en-US');
  const reason = stoppedBy(row, placed, isCovered(row.consent as unknown as MinitoolPermissions | null, permissions));
  const stopped = row.status === 'enabled' && reason !== undefined ? ({ status: 'disabled', reason } as const) : {};
  const { version, source, folder, manifest } = placed;
  await change(services, user, row.id, { version, source, folder, manifest, ...stopped }, { action: 'updated', details: aboutVersion(placed) });
  await services.minitools.host.look(row.id, true);
};

const installed = async (services: MinitoolServices, user: UserCaller, placed: PlacedMinitool): Promise<void> => {
  const { store } = services.minitools;
  const there = await store.minitool(placed.id);
  if (there) return update(services, user, there, placed);
  const at = services.app.clock.now();
  const fresh = { status: 'disabled', reason: null, settings: {}, consent: null, users: [], containerAgents: {}, installedAt: at, updatedAt: at } as const;
  const written = await store.install({ ...placed, ...fresh }, audited(services, user, 'installed', placed.id, aboutVersion(placed)));
  if (written === 'already_exists')
    throw new TurnkeeperError('already_exists', `The mini-tool ${placed.id} was installed at the same moment. Look at it, and try again.`);
};

const install = async (services: MinitoolServices, user: UserCaller, source: MinitoolSource, locale: MinitoolLocale): Promise<MinitoolAnswer> => {
  const { host } = services.minitools;
  const placed = await host.place(source);
  try {
    await installed(services, user, placed);
  } finally {
    // Files that nothing uses: of the version before, or of this one where it was refused.
    await host.tidy(placed.id, placed.folder).catch(() => {});
  }
  return answerFor(services, user, placed.id, locale);
};

const mustBeAdmin = (caller: Caller): UserCaller => requireAdmin(caller, 'install mini-tools');

/** Throws `forbidden`, `validation_failed` with all faults of the manifest, `invalid_request` for what is wrong with the source. */
export const installMinitool = async (
  services: MinitoolServices,
  caller: Caller,
  body: InstallMinitoolRequest,
  locale: MinitoolLocale,
): Promise<MinitoolAnswer> => install(services, mustBeAdmin(caller), sourceOf(body), locale);

export type UploadedMinitool = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

export const uploadMinitool = async (services: MinitoolServices, caller: Caller, upload: UploadedMinitool, locale: MinitoolLocale): Promise<MinitoolAnswer> =>
  install(services, mustBeAdmin(caller), { kind: 'file', ...upload }, locale);

/** Throws `version_conflict` with what differs where `consent` is not what the manifest asks for now (MI2). */
export const enableMinitool = async (
  services: MinitoolServices,
  caller: Caller,
  id: string,
  consent: MinitoolPermissions,
  locale: MinitoolLocale,
): Promise<MinitoolAnswer> => {
  const { user, row } = await findAdministered(services, caller, id);
  const { permissions } = await services.minitools.host.describe(row, locale);
  const differing = differences(consent, permissions);
  if (differing.length > 0) {
    const members = differing.map(({ permission }) => permission).join(', ');
    throw new TurnkeeperError('version_conflict', `What it asks for is not what was agreed to: ${members}. Look at it again.`, {
      differences: differing,
      permissions,
    });
  }
  // What was sent is kept: should the manifest have changed by now, it does not run.
  const agreed = consent as unknown as JsonObject;
  const users = row.users.length === 0 ? [user.id] : row.users;
  const details = { ...aboutVersion(row), permissions: agreed };
  await change(services, user, id, { status: 'enabled', reason: null, consent: agreed, users }, { action: 'enabled', details });
  for (const each of users) services.identity.forgetUser(each);
  await services.minitools.host.look(id, true);
  return answerFor(services, user, id, locale);
};

/** Its process ends; its sessions stay, and their turns go on. */
export const disableMinitool = async (services: MinitoolServices, caller: Caller, id: string, locale: MinitoolLocale): Promise<MinitoolAnswer> => {
  const { user } = await findAdministered(services, caller, id);
  await change(services, user, id, { status: 'disabled', reason: null }, { action: 'disabled' });
  await services.minitools.host.look(id, false);
  return answerFor(services, user, id, locale);
};

/** With all that it keeps; its sessions stay. */
export const removeMinitool = async (services: MinitoolServices, caller: Caller, id: string): Promise<void> => {
  const { user, row } = await findAdministered(services, caller, id);
  const { store, host, arrivals } = services.minitools;
  // Its process ends before what it keeps goes: `deactivate` may still write.
  if (row.status === 'enabled') await change(services, user, id, { status: 'disabled', reason: null }, { action: 'disabled' });
  await host.look(id, false);
  if (!(await store.remove(id, audited(services, user, 'removed', id, aboutVersion(row))))) throw noSuchMinitool();
  // Somebody may have enabled it in between.
  await host.look(id, false);
  for (const each of row.users) services.identity.forgetUser(each);
  arrivals.forget(id);
  await host.tidy(id);
};
