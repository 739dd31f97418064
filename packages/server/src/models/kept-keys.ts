/**
 * Models of providers that can be switched on while the server runs: a key that an admin keeps as a secret of the installation, under the
 * name of the environment's variable, is as good as that variable.
 *
 * KK1 What the environment sets goes before what is kept.
 * KK2 A call ends with the key that it began with. A key that is kept or taken away counts from the next call on: at once where that was
 *     asked for, and where `look` is called next on other nodes.
 * KK3 What is kept is never told: not by a provider's state, and not by an error (the adapters', which know it as a secret).
 */
import type { Clock } from '../ports/clock.ts';
import type { Models } from '../ports/model.ts';
import { createModels } from './create-models.ts';
import type { ModelsConfig } from './models-config.ts';
import { listProviders, type ProviderState } from './provider-list.ts';

const providers = [
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
] as const;

/** Names of the secrets that switch providers on. */
const names: readonly string[] = providers.map(([, name]) => name);

export type KeptModels = {
  readonly names: readonly string[];
  readonly models: Models;
  /** Takes what is kept by now. True when a provider was switched on or off by that, or has another key. Rejects as `read` does. */
  readonly look: () => Promise<boolean>;
  readonly providers: () => readonly ProviderState[];
};

export type KeptModelsOptions = {
  readonly config: ModelsConfig;
  readonly clock: Clock;
  /** The values of the secrets of these names that there are, and that this server can open. */
  readonly read: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

export const createKeptModels = ({ config, clock, read }: KeptModelsOptions): KeptModels => {
  const make = (kept: ReadonlyMap<string, string>) => {
    const added = providers.flatMap(([provider, name]) => {
      const apiKey = kept.get(name)?.trim();
      const baseURL = config.baseURLs?.[provider];
      return config[provider] || !apiKey ? [] : [[provider, { apiKey, ...(baseURL === undefined ? {} : { baseURL }) }] as const];
    });
    const merged: ModelsConfig = { ...config, ...Object.fromEntries(added) };
    return { sign: JSON.stringify(added), config: merged, kept: added.map(([provider]) => provider as string), models: createModels(merged, { clock }) };
  };
  let current = make(new Map());
  return {
    names,
    models: {
      stream: (request, signal) => current.models.stream(request, signal),
      has: (model) => current.models.has(model),
      list: () => current.models.list(),
      inputFault: (model, medium) => current.models.inputFault(model, medium),
      price: (model, usage, at) => current.models.price(model, usage, at),
      priceInForce: (model, at) => current.models.priceInForce(model, at),
    },
    look: async () => {
      const next = make(await read(names));
      if (next.sign === current.sign) return false;
      current = next;
      return true;
    },
    providers: () =>
      listProviders(current.config).map((provider) => ({
        ...provider,
        kept: current.kept.includes(provider.name),
        keepable: names.includes(provider.setting) && (!provider.on || current.kept.includes(provider.name)),
      })),
  };
};
