/** `turnkeeper minitool list | show | disable | remove | settings | secret`: what is installed, and how it is set. */
import type { MinitoolDetails, PatchMinitoolRequest } from '@turnkeeper/core/protocol/wire/minitools';
import { userNames } from '../actor-name.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { permissionLines } from '../minitool/permission-lines.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { pickUser } from '../pick-named.ts';
import { programName } from '../program-name.ts';
import { askSecret, confirmed } from '../prompt.ts';
import { atText } from '../time.ts';

export const listMinitools = async (context: CommandContext): Promise<ExitCode> => {
  const { items } = await context.client.minitools.list();
  printList(context, items, {
    none: `No mini-tools. Install one with: ${programName} minitool add <npm package | folder | .tgz>`,
    row: ({ id, version, status, activity, name, reason, unreadCount }) => [
      id,
      version,
      status === 'enabled' ? activity : status,
      oneLine(name, 40),
      [...(unreadCount > 0 ? [`${unreadCount} unread`] : []), ...(reason === null ? [] : [oneLine(reason, 60)])].join(' · '),
    ],
  });
  return exitCodes.completed;
};

const shownValue = (value: unknown): string => (typeof value === 'string' ? oneLine(value, 80) : JSON.stringify(value));

const settingRows = ({ settingsFields, administration }: MinitoolDetails): readonly (readonly string[])[] =>
  settingsFields.map(({ key, label, secret, default: otherwise }) => {
    const value = administration?.settings[key];
    const hidden = secret ? (administration?.secretSettings.includes(key) ? '(set)' : '(not set)') : undefined;
    return ['setting', key, hidden ?? (value === undefined ? `${shownValue(otherwise)} (default)` : shownValue(value)), oneLine(label, 60)];
  });

const administeredRows = async ({ client }: CommandContext, { administration }: MinitoolDetails): Promise<readonly (readonly string[])[]> => {
  if (!administration) return [];
  const nameOf = await userNames(client);
  return [
    ['source', oneLine(administration.source, 100)],
    ...administration.users.map((user) => ['user', nameOf(user)]),
    ...administration.secrets.map(({ name, isSet }) => ['secret', name, isSet ? '(set)' : name.endsWith('.*') ? '(a prefix)' : '(not set)']),
  ];
};

export const showMinitool = async (context: CommandContext, id: string): Promise<ExitCode> => {
  const { minitool } = await context.client.minitools.get(id);
  if (context.json) {
    context.printJson({ minitool });
    return exitCodes.completed;
  }
  const { lastCrash, reason } = minitool;
  const rows = [
    ['status', minitool.status, minitool.activity],
    ...(reason === null ? [] : [['reason', oneLine(reason, 200)]]),
    ...(lastCrash === null ? [] : [['last crash', atText(lastCrash.at), oneLine(lastCrash.reason, 200)]]),
    ...minitool.tools.map(({ name, title, risk }) => ['tool', name, `risk ${risk}`, oneLine(title, 60)]),
    ...minitool.containers.map((each) => [
      'container',
      each.id,
      each.mode,
      oneLine(each.title, 60),
      each.agent === null ? '' : `agent ${each.agent}`,
      each.unread.length > 0 ? `${each.unread.length} unread` : '',
    ]),
    ...minitool.webhooks.map((each) => ['webhook', each.id, each.path]),
    ...minitool.schedules.map((each) => ['schedule', each]),
    ...settingRows(minitool),
    ...(await administeredRows(context, minitool)),
  ];
  for (const line of [...permissionLines(minitool), ...tableLines(rows)]) context.print(line);
  return exitCodes.completed;
};

export const disableMinitool = async ({ client, json, print, printJson }: CommandContext, id: string): Promise<ExitCode> => {
  const answer = await client.minitools.disable(id);
  if (json) printJson(answer);
  else print(`${id} is disabled`);
  return exitCodes.completed;
};

export const removeMinitool = async ({ client, io, json, print, printJson, note }: CommandContext, id: string, yes: boolean | undefined): Promise<ExitCode> => {
  if (!(await confirmed(io, `Remove ${id} with everything that it keeps? Its sessions stay.`, yes))) {
    note('Not removed.');
    return exitCodes.failed;
  }
  await client.minitools.delete(id);
  if (json) printJson({ removed: id });
  else print(`removed ${id}`);
  return exitCodes.completed;
};

export type SettingOptions = {
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
  readonly agent?: readonly string[];
  readonly user?: readonly string[];
  readonly removeUser?: readonly string[];
};

const pair = (text: string, wanted: string): readonly [string, string] => {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${text} is not ${wanted}.`);
  return [text.slice(0, at), text.slice(at + 1)];
};

/** As its field wants it; one that no field is of is left to the server, which says so. */
const settingValue = ({ settingsFields }: MinitoolDetails, key: string, text: string): string | number | boolean | string[] => {
  switch (settingsFields.find((field) => field.key === key)?.type) {
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw new UsageError(`${key} wants a number.`);
      return Number(text);
    case 'boolean':
    case 'toggle':
      if (text !== 'true' && text !== 'false') throw new UsageError(`${key} wants true or false.`);
      return text === 'true';
    case 'multiselect':
      return text === '' ? [] : text.split(',');
    default:
      return text;
  }
};

const usersAfter = async ({ client }: CommandContext, { administration }: MinitoolDetails, { user = [], removeUser = [] }: SettingOptions) => {
  if (user.length === 0 && removeUser.length === 0) return undefined;
  const added = await Promise.all(user.map(async (ref) => (await pickUser(client, ref)).id));
  const removed = new Set(await Promise.all(removeUser.map(async (ref) => (await pickUser(client, ref)).id)));
  return [...new Set([...(administration?.users ?? []), ...added])].filter((id) => !removed.has(id));
};

/** Without options it says what is set. */
export const minitoolSettings = async (context: CommandContext, id: string, options: SettingOptions): Promise<ExitCode> => {
  const { client, json, print, printJson, note } = context;
  const { minitool } = await client.minitools.get(id);
  const { set = [], unset = [], agent = [] } = options;
  const settings = Object.fromEntries([
    ...set.map((text) => pair(text, 'a setting (key=value)')).map(([key, text]) => [key, settingValue(minitool, key, text)]),
    ...unset.map((key) => [key, null]),
  ]);
  const agents = agent.map((text) => pair(text, 'an agent of a container (container=agent, or container=default)'));
  const users = await usersAfter(context, minitool, options);
  const changes: PatchMinitoolRequest = {
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(agents.length === 0 ? {} : { containerAgents: Object.fromEntries(agents.map(([container, key]) => [container, key === 'default' ? null : key])) }),
    ...(users ? { users } : {}),
  };
  const changed = Object.keys(changes).length === 0 ? minitool : (await client.minitools.patch(id, changes)).minitool;
  if (json) {
    printJson({ minitool: changed });
    return exitCodes.completed;
  }
  const rows = [
    ...settingRows(changed),
    ...changed.containers.flatMap(({ id: container, agent: chosen }) => (chosen === null ? [] : [['agent', container, chosen]])),
    ...(await administeredRows(context, changed)),
  ];
  for (const line of tableLines(rows)) print(line);
  if (rows.length === 0) note('It has no settings.');
  return exitCodes.completed;
};

export const setMinitoolSecret = async ({ client, io, json, print, printJson }: CommandContext, id: string, name: string): Promise<ExitCode> => {
  await client.minitools.putSecret(id, name, await askSecret(io, 'Value', { multiline: true }));
  if (json) printJson({ name });
  else print(`set ${name} of ${id}`);
  return exitCodes.completed;
};

export const removeMinitoolSecret = async (context: CommandContext, id: string, name: string, yes: boolean | undefined): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  if (!(await confirmed(io, `Delete the secret ${name} of ${id}?`, yes))) {
    note('Not deleted.');
    return exitCodes.failed;
  }
  await client.minitools.deleteSecret(id, name);
  if (json) printJson({ deleted: name });
  else print(`deleted ${name} of ${id}`);
  return exitCodes.completed;
};
