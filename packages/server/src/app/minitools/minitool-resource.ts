/** Mini-tools as people see them. */
import type { MinitoolContainer, MinitoolDetails, MinitoolResource } from '@turnkeeper/core/protocol/wire/minitools';
import type { DescribedMinitool, MinitoolLocale, MinitoolPermissions } from '../../ports/minitool-host.ts';
import type { MarkRow, MinitoolRow } from '../../ports/minitools.ts';
import type { UserCaller } from '../caller.ts';
import { isUser } from './find-minitool.ts';
import type { Minitools } from './minitool-services.ts';
import { permissionsInWords } from './permission-words.ts';
import { isSealed } from './sealed-settings.ts';

/** Why it does not run is for admins: what a process says when it ends may be of anybody's session. */
const resourceOf = (
  { host }: Minitools,
  user: UserCaller,
  row: MinitoolRow,
  { name, description, unreadCount }: Pick<DescribedMinitool, 'name' | 'description'> & { readonly unreadCount: number },
): MinitoolResource => ({
  id: row.id,
  name,
  description,
  version: row.version,
  status: row.status,
  reason: user.admin ? row.reason : null,
  activity: host.condition(row.id).activity,
  isUser: isUser(user, row),
  unreadCount,
  installedAt: row.installedAt,
  updatedAt: row.updatedAt,
});

type Asking = { readonly user: UserCaller; readonly locale: MinitoolLocale };

export const shortResource = async (minitools: Minitools, { user, locale }: Asking, row: MinitoolRow, unreadCount: number): Promise<MinitoolResource> => {
  // One that this release cannot read any more must not hide the others.
  const { name, description } = await minitools.host.describe(row, locale).catch(() => ({ name: row.id, description: '' }));
  return resourceOf(minitools, user, row, { name, description, unreadCount });
};

const openLists = ({ secrets, oauth, ...plain }: MinitoolPermissions) => ({ ...plain, secrets: [...secrets], oauth: [...oauth] });

export const containersOf = (
  { containers }: DescribedMinitool,
  { containerAgents }: Pick<MinitoolRow, 'containerAgents'>,
  marks: readonly MarkRow[],
): readonly MinitoolContainer[] =>
  containers.map(({ starterPrompts, ...container }) => ({
    ...container,
    starterPrompts: [...starterPrompts],
    unread: marks.filter((mark) => mark.container === container.id).map(({ sessionId }) => sessionId),
    agent: containerAgents[container.id] ?? null,
  }));

type Administered = NonNullable<MinitoolDetails['administration']>;

/** Where a mini-tool's webhook is received. */
export const hookPath = (id: string, hook: string): string => `/api/v1/minitools/${encodeURIComponent(id)}/webhooks/${encodeURIComponent(hook)}`;

const administered = async (minitools: Minitools, row: MinitoolRow, { fields, permissions }: DescribedMinitool): Promise<Administered> => {
  const secret = fields.filter((field) => field.secret).map(({ key }) => key);
  const hidden = new Set([...secret, ...Object.keys(row.settings).filter((key) => isSealed(row.settings[key]))]);
  const isSet = async (name: string): Promise<boolean> => !name.endsWith('.*') && (await minitools.store.secret(row.id, name)) !== undefined;
  return {
    source: row.source,
    settings: Object.fromEntries(Object.entries(row.settings).filter(([key]) => !hidden.has(key))) as Administered['settings'],
    secretSettings: Object.keys(row.settings).filter((key) => hidden.has(key)),
    containerAgents: { ...row.containerAgents },
    users: [...row.users],
    consent: row.consent === null ? null : openLists(row.consent as unknown as MinitoolPermissions),
    secrets: await Promise.all(permissions.secrets.map(async (name) => ({ name, isSet: await isSet(name) }))),
  };
};

export const detailsOf = async (minitools: Minitools, user: UserCaller, row: MinitoolRow, locale: MinitoolLocale): Promise<MinitoolDetails> => {
  const described = await minitools.host.describe(row, locale);
  const marks = await minitools.store.marks(row.id);
  return {
    ...resourceOf(minitools, user, row, { ...described, unreadCount: marks.length }),
    permissions: openLists(described.permissions),
    permissionsInWords: [...permissionsInWords(described.permissions)],
    lastCrash: user.admin ? minitools.host.condition(row.id).lastCrash : null,
    containers: [...containersOf(described, row, marks)],
    tools: minitools.tools
      .list()
      .filter(({ minitoolId }) => minitoolId === row.id)
      .map(({ name, title, description, risk, exposure }) => ({ name, title, description, risk, exposure })),
    settingsFields: described.fields.map((field) => ({ ...field, options: [...field.options] })) as MinitoolDetails['settingsFields'],
    webhooks: described.webhooks.map((hook) => ({ id: hook, path: hookPath(row.id, hook) })),
    schedules: [...described.schedules],
    ...(user.admin ? { administration: await administered(minitools, row, described) } : {}),
  };
};
