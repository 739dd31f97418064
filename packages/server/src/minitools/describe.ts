/** What a manifest says, for people: in one language, with the texts of `i18n/<locale>.json` where there are some. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { localiseManifest } from '@turnkeeper/minitool/manifest/localise';
import type { SessionContainer, SettingsField } from '@turnkeeper/minitool/manifest/schema';
import { z } from 'zod';
import type { DescribedContainer, DescribedField, DescribedMinitool, MinitoolLocale } from '../ports/minitool-host.ts';
import type { MinitoolRow } from '../ports/minitools.ts';
import { readMessages } from './beginning.ts';
import { manifestOf } from './kept-manifest.ts';

const option = z.union([
  z.string().transform((value) => ({ value, label: value })),
  z.looseObject({ value: z.string(), label: z.string().optional() }).transform(({ value, label }) => ({ value, label: label ?? value })),
]);
const options = z.array(option).catch([]);
const json = z.json().catch(null);

type Localised = ReturnType<typeof localiseManifest>;

/** Its texts are the localised ones; everything else the manifest's own. */
const fieldOf = (
  { key, type, required, secret, default: value, ...rest }: SettingsField,
  texts: Localised['settingsFields'][number] | undefined,
): DescribedField => ({
  key,
  type,
  label: texts?.label ?? key,
  description: texts?.description ?? '',
  placeholder: texts?.placeholder ?? '',
  required: required ?? false,
  secret: secret ?? false,
  default: json.parse(value ?? null) as JsonObject[string],
  options: options.parse(rest['options'] ?? []),
});

const drawnIcon = z.looseObject({
  svg: z
    .string()
    .max(32_768)
    .regex(/^\s*<svg[\s>]/),
});
/** `ext:<pack>/<icon>` is an icon that some pack brings: of the mini-tool's own, which are in its manifest, the picture is known. */
const ownIcon = /^ext:[^/]*\//;

/** As it is named; where the manifest brings the picture along, its `data:` address: nothing is fetched for it from anywhere. */
const iconOf = (icon: string, icons: Readonly<Record<string, unknown>>): string => {
  const name = icon.replace(ownIcon, '');
  const drawn = Object.hasOwn(icons, name) ? drawnIcon.safeParse(icons[name]) : undefined;
  return drawn?.success ? `data:image/svg+xml,${encodeURIComponent(drawn.data.svg.toWellFormed())}` : icon;
};

const containerOf = (
  { id, icon, mode }: SessionContainer,
  icons: Readonly<Record<string, unknown>>,
  texts: Localised['sessionContainers'][number] | undefined,
): DescribedContainer => ({
  id,
  title: texts?.title ?? id,
  description: texts?.description ?? '',
  icon: icon === undefined || icon === '' ? null : iconOf(icon, icons),
  mode,
  starterPrompts: texts?.starterPrompts ?? [],
});

/** Throws `validation_failed` for a manifest that this release does not take any more. */
export const describeMinitool = async (row: Pick<MinitoolRow, 'id' | 'folder' | 'manifest'>, locale: MinitoolLocale): Promise<DescribedMinitool> => {
  const manifest = manifestOf(row);
  const { name, description, sessionContainers, settingsFields } = localiseManifest(manifest, locale, await readMessages(row.folder));
  const { filesystem, network, shell, secrets, oauth, sessions, sessionInteractions } = manifest.permissions;
  return {
    name,
    description,
    permissions: { filesystem, network, shell, secrets, oauth, sessions, sessionInteractions },
    containers: manifest.contributes.sessionContainers.map((container, at) => containerOf(container, manifest.contributes.icons, sessionContainers[at])),
    fields: manifest.settings.fields.map((field, at) => fieldOf(field, settingsFields[at])),
    webhooks: manifest.contributes.webhooks.map(({ id }) => id),
    schedules: manifest.contributes.schedules.map(({ id }) => id),
  };
};
