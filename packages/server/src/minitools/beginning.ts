/** What a process is told when it begins. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import { textIn } from '@turnkeeper/minitool/manifest/localise';
import type { Manifest } from '@turnkeeper/minitool/manifest/schema';
import { type Beginning, protocolVersion } from '@turnkeeper/minitool/protocol';
import type { MinitoolRow } from '../ports/minitools.ts';
import type { MinitoolFolders } from './folders.ts';

export type Locale = Beginning['locale'];

const mostBytes = 1024 * 1024;

/** A language file that is missing or of no use is none: its texts fall back. */
const messagesIn = async (folder: string, locale: Locale): Promise<JsonObject | undefined> => {
  try {
    const text = await readFile(join(folder, 'i18n', `${locale}.json`), 'utf8');
    const value: unknown = text.length > mostBytes ? undefined : JSON.parse(text.replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};

export const readMessages = async (folder: string): Promise<Beginning['messages']> => {
  const locales: readonly Locale[] = ['en-US', 'zh-CN'];
  const read = await Promise.all(locales.map(async (locale) => [locale, await messagesIn(folder, locale)] as const));
  return Object.fromEntries(read.flatMap(([locale, messages]) => (messages ? [[locale, messages]] : [])));
};

export type Installed = { readonly row: MinitoolRow; readonly manifest: Manifest };

/** What the enabled ones contribute, by extension point: the value as the manifest has it, and whose it is. */
export const contributionsOf = async (enabled: readonly Installed[], locale: Locale): Promise<Beginning['contributions']> => {
  const byPoint: Record<string, JsonObject[]> = {};
  const names = await Promise.all(enabled.map(async ({ row, manifest }) => textIn(await readMessages(row.folder), locale, 'name', manifest.name)));
  for (const [n, { row }] of enabled.entries()) {
    const points = (row.manifest['contributes'] ?? {}) as { readonly [point: string]: Json };
    for (const [point, value] of Object.entries(points)) {
      const list = Object.hasOwn(byPoint, point) ? byPoint[point] : undefined;
      const entry = { extensionId: row.id, extensionName: names[n] ?? row.id, extensionPath: row.folder, source: 'global', value };
      if (list) list.push(entry);
      else Object.defineProperty(byPoint, point, { value: [entry], enumerable: true });
    }
  }
  return byPoint;
};

const settingsOf = ({ row, manifest }: Installed): JsonObject => {
  const defaults = manifest.settings.fields.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value as Json] as const]));
  return { ...Object.fromEntries(defaults), ...row.settings };
};

export const beginningOf = (
  installed: Installed,
  folders: MinitoolFolders,
  about: Pick<Beginning, 'locale' | 'messages' | 'contributions' | 'capabilities'>,
): Beginning => {
  const { row, manifest } = installed;
  return {
    protocolVersion,
    minitool: {
      id: row.id,
      displayName: textIn(about.messages, about.locale, 'name', manifest.name),
      version: row.version,
      extensionPath: row.folder,
      scope: 'global',
    },
    main: join(row.folder, manifest.main),
    storagePath: folders.storage,
    outboxPath: folders.outbox,
    locale: about.locale,
    messages: about.messages,
    settings: settingsOf(installed),
    workspace: {},
    session: { id: '', model: '' },
    contributions: about.contributions,
    declared: { provides: manifest.provides.capabilities, requires: manifest.requires.capabilities },
    capabilities: about.capabilities,
  };
};
