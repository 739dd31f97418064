/**
 * What no single member of a manifest can say by itself: each id once, and references that lead somewhere.
 *
 * Looks at the text as it came, so that these faults are told beside those of the shape and not only after them.
 */
import type { ManifestFault } from './fault.ts';
import { cronWanted, timezoneWanted } from './schedule-fault.ts';

type Members = Readonly<Record<string, unknown>>;
type Listed = { readonly entry: Members; readonly pointer: string };

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {});

const listOf = (value: unknown, pointer: string): readonly Listed[] =>
  Array.isArray(value) ? value.map((entry, at) => ({ entry: membersOf(entry), pointer: `${pointer}/${at}` })) : [];

const repeated = (list: readonly Listed[], member: string): readonly ManifestFault[] => {
  const seen = new Set<unknown>();
  return list.flatMap(({ entry, pointer }) => {
    const value = entry[member];
    if (typeof value !== 'string') return [];
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [{ pointer: `${pointer}/${member}`, wanted: `each ${member} once; "${value}" stands here before` }] : [];
  });
};

const profileFaults = (containers: readonly Listed[], profiles: readonly Listed[]): readonly ManifestFault[] => {
  const known = new Set(profiles.map(({ entry }) => entry['id']));
  return containers.flatMap(({ entry, pointer }) => {
    const named = entry['agentProfile'];
    if (named === undefined)
      return entry['mode'] === 'assistant'
        ? [{ pointer: `${pointer}/agentProfile`, wanted: 'an id of contributes.agentProfiles: a container with mode "assistant" needs one' }]
        : [];
    return typeof named === 'string' && !known.has(named) ? [{ pointer: `${pointer}/agentProfile`, wanted: 'an id of contributes.agentProfiles' }] : [];
  });
};

const transportFaults = (servers: readonly Listed[]): readonly ManifestFault[] =>
  servers.flatMap(({ entry, pointer }) =>
    entry['command'] !== undefined && entry['url'] !== undefined ? [{ pointer, wanted: 'either "command" or "url", not both' }] : [],
  );

const scheduleFaults = (schedules: readonly Listed[]): readonly ManifestFault[] =>
  schedules.flatMap(({ entry, pointer }) => {
    const { cron, everySeconds, timezone } = entry;
    const faults: ManifestFault[] = [];
    if ((cron === undefined) === (everySeconds === undefined)) faults.push({ pointer, wanted: 'either "cron" or "everySeconds"' });
    // What is longer the schema refuses: it is not read.
    const wantedCron = typeof cron === 'string' && cron.length <= 200 ? cronWanted(cron) : undefined;
    if (wantedCron !== undefined) faults.push({ pointer: `${pointer}/cron`, wanted: wantedCron });
    const wantedZone = typeof timezone === 'string' ? timezoneWanted(timezone) : undefined;
    if (wantedZone !== undefined) faults.push({ pointer: `${pointer}/timezone`, wanted: wantedZone });
    return faults;
  });

/** Faults between members, by JSON pointer. */
export const crossFaults = (manifest: unknown): readonly ManifestFault[] => {
  const top = membersOf(manifest);
  const contributes = membersOf(top['contributes']);
  const list = (member: string): readonly Listed[] => listOf(contributes[member], `/contributes/${member}`);
  const containers = list('sessionContainers');
  const profiles = list('agentProfiles');
  return [
    ...['sessionContainers', 'agentProfiles', 'webhooks', 'schedules', 'composerActions', 'iconPacks'].flatMap((member) => repeated(list(member), 'id')),
    ...repeated(list('mcpServers'), 'name'),
    ...repeated(listOf(membersOf(top['settings'])['fields'], '/settings/fields'), 'key'),
    ...profileFaults(containers, profiles),
    ...transportFaults(list('mcpServers')),
    ...scheduleFaults(list('schedules')),
  ];
};
