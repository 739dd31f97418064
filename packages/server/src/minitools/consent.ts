/** What a person agrees to when a mini-tool is enabled, and whether that still covers what its manifest asks for. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { type Manifest, type Permissions, permissions as permissionsSchema } from '@turnkeeper/minitool/manifest/schema';

const lists = ['secrets', 'oauth'] as const;
const switches = ['network', 'shell', 'sessions', 'sessionInteractions'] as const;
const width = { none: 0, read: 1, readwrite: 2 } as const;

/** The permissions that a person is shown. */
export const consentFor = ({ permissions }: Pick<Manifest, 'permissions'>): JsonObject => ({
  filesystem: permissions.filesystem,
  ...Object.fromEntries(switches.map((name) => [name, permissions[name]])),
  ...Object.fromEntries(lists.map((name) => [name, permissions[name]])),
});

const covered = (wanted: Permissions, given: Permissions): boolean =>
  width[wanted.filesystem] <= width[given.filesystem] &&
  switches.every((name) => !wanted[name] || given[name]) &&
  lists.every((name) => wanted[name].every((entry) => given[name].includes(entry)));

/** True when everything that the manifest asks for was agreed to. */
export const covers = (consent: JsonObject | null, manifest: Pick<Manifest, 'permissions'>): boolean => {
  const given = permissionsSchema.safeParse(consent);
  return given.success && covered(manifest.permissions, given.data);
};
