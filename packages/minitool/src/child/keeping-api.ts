/** `ctx.storage`, `ctx.secrets` and `ctx.settings`. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Secrets, Settings, Storage } from '../context/keeping.ts';
import { invalidArgument } from '../failure.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import { jsonValue } from './json-value.ts';

type Host = Pick<ToolPeer, 'ask'>;

const keyOf = (key: unknown): string => {
  if (typeof key !== 'string' || key === '') throw invalidArgument('A key is a text, and not an empty one');
  return key;
};

export const createStorage = (host: Host): Storage => ({
  get: async (key) => (await host.ask('storage.get', { key: keyOf(key) })).value as never,
  set: async (key, value) => {
    await host.ask('storage.set', { key: keyOf(key), value: jsonValue(value, 'A stored value') });
  },
  delete: async (key) => {
    await host.ask('storage.delete', { key: keyOf(key) });
  },
  clear: async () => {
    await host.ask('storage.clear', {});
  },
  keys: async () => [...(await host.ask('storage.keys', {}))],
});

export const createSecrets = (host: Host): Secrets => ({
  get: async (key) => (await host.ask('secrets.get', { key: keyOf(key) })).value,
  set: async (key, value) => {
    if (typeof value !== 'string') throw invalidArgument('A secret is a text');
    await host.ask('secrets.set', { key: keyOf(key), value });
  },
  delete: async (key) => {
    await host.ask('secrets.delete', { key: keyOf(key) });
  },
});

/** As they stood when the process began: after a change it is started again. */
export const createSettings = (settings: JsonObject): Settings => ({
  get: (key) => (Object.hasOwn(settings, key) ? (structuredClone(settings[key]) as never) : undefined),
  all: () => structuredClone(settings) as Record<string, unknown>,
});
