/**
 * Use cases: the sessions that a person keeps at hand, the same for all of that person's pages.
 *
 * PI1 They are ids and nothing more: to pin what is not there, or not one's own to see, is no fault and shows nothing.
 * PI2 A change says what comes and what goes, and not the whole: of two at once on one node neither is lost.
 */
import { mostPins, type PatchPinsRequest, type PinsAnswer } from '@turnkeeper/core/protocol/wire/pins';
import { requireUser } from './administration.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

const settingOf = (userId: string): string => `pins:${userId}`;

const kept = async ({ catalog }: App, userId: string): Promise<readonly string[]> => JSON.parse((await catalog.setting(settingOf(userId))) ?? '[]') as string[];

/** Throws `forbidden` for keys. */
export const readPins = async (app: App, caller: Caller): Promise<PinsAnswer> => ({ sessions: [...(await kept(app, requireUser(caller).id))] });

const changes = new Map<string, Promise<unknown>>();

/** Begins when the change before it is done, however that ended. */
const oneByOne = async <Value>(userId: string, change: () => Promise<Value>): Promise<Value> => {
  const mine = (changes.get(userId) ?? Promise.resolve()).then(change, change);
  changes.set(userId, mine);
  try {
    return await mine;
  } finally {
    if (changes.get(userId) === mine) changes.delete(userId);
  }
};

/** Throws `forbidden` for keys. */
export const changePins = async (app: App, caller: Caller, { add = [], remove = [] }: PatchPinsRequest): Promise<PinsAnswer> => {
  const { id } = requireUser(caller);
  return oneByOne(id, async () => {
    const before = await kept(app, id);
    const gone = new Set([...add, ...remove]);
    const sessions = [...new Set(add), ...before.filter((pin) => !gone.has(pin))].filter((pin) => !remove.includes(pin)).slice(0, mostPins);
    await app.catalog.setSetting(settingOf(id), sessions.length === 0 ? null : JSON.stringify(sessions));
    return { sessions };
  });
};
