/** Use cases: which mini-tools there are, and what each says of itself. */
import type { MinitoolAnswer, MinitoolArrival, MinitoolContainer, MinitoolLogEntry, MinitoolResource } from '@turnkeeper/core/protocol/wire/minitools';
import type { MinitoolLocale } from '../../ports/minitool-host.ts';
import { allOf, type Items, requireUser } from '../administration.ts';
import type { Caller } from '../caller.ts';
import { findAdministered, findMinitool, mayUse } from './find-minitool.ts';
import { containersOf, detailsOf, hookPath, shortResource } from './minitool-resource.ts';
import type { MinitoolServices } from './minitool-services.ts';

/** Those that the caller may use; for admins all. */
export const listMinitools = async ({ minitools }: MinitoolServices, caller: Caller, locale: MinitoolLocale): Promise<Items<MinitoolResource>> => {
  const user = requireUser(caller);
  const rows = (await minitools.store.minitools()).filter((row) => mayUse(user, row));
  const unread = await minitools.store.markCounts();
  return allOf(await Promise.all(rows.map((row) => shortResource(minitools, { user, locale }, row, unread.get(row.id) ?? 0))));
};

export const readMinitool = async (services: MinitoolServices, caller: Caller, id: string, locale: MinitoolLocale): Promise<MinitoolAnswer> => {
  const { user, row } = await findMinitool(services, caller, id);
  return { minitool: await detailsOf(services.minitools, user, row, locale) };
};

export const listContainers = async (services: MinitoolServices, caller: Caller, id: string, locale: MinitoolLocale): Promise<Items<MinitoolContainer>> => {
  const { row } = await findMinitool(services, caller, id);
  const { store, host } = services.minitools;
  return allOf(containersOf(await host.describe(row, locale), row, await store.marks(row.id)));
};

/** The newest entries of its log, the oldest of them first. Throws `not_found`, `forbidden`. */
export const readLog = async (
  services: MinitoolServices,
  caller: Caller,
  id: string,
  lines: number,
): Promise<{ readonly items: readonly MinitoolLogEntry[] }> => {
  const { row } = await findAdministered(services, caller, id);
  return { items: await services.minitools.host.tail(row.id, lines) };
};

/** Tells what comes into the log from now on; the function ends that. What it throws is as with `readLog`. */
export const followLog = async (services: MinitoolServices, caller: Caller, id: string): Promise<(tell: (entry: MinitoolLogEntry) => void) => () => void> => {
  const { row } = await findAdministered(services, caller, id);
  return (tell) => services.minitools.host.follow(row.id, tell);
};

/** What came in by its webhooks, here and since the start, the newest first. Throws as `readLog` does. */
export const listArrivals = async (services: MinitoolServices, caller: Caller, id: string): Promise<Items<MinitoolArrival>> => {
  const { row } = await findAdministered(services, caller, id);
  return allOf(services.minitools.arrivals.of(row.id).map((arrival) => ({ ...arrival, path: hookPath(row.id, arrival.hook) })));
};
