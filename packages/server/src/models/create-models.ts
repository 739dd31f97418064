/**
 * All models behind the one port: finds the provider by the name before the first colon.
 */
import type { Clock } from '../ports/clock.ts';
import { ModelError, type ModelPart, type ModelRequest, type Models } from '../ports/model.ts';
import type { Adapter } from './adapter.ts';
import { createAnthropicAdapter } from './anthropic.ts';
import { callProvider } from './call-provider.ts';
import { createDemo, type Demo } from './demo/demo.ts';
import { createGoogleAdapter } from './google.ts';
import { mediumFault } from './input-media.ts';
import { type ModelsConfig, parseModelName } from './models-config.ts';
import { createOpenAIAdapter } from './openai.ts';
import { createCompatibleAdapter } from './openai-compatible.ts';
import { createPriceInForce, createPricing } from './prices.ts';
import { defaultSilenceLimits, type SilenceLimits } from './silence-watch.ts';

export type ModelsOptions = { readonly clock: Clock; readonly limits?: SilenceLimits };

/** What an operator has to set for a provider that is not there. */
const howToConfigure: Readonly<Record<string, string>> = {
  openai: 'Set OPENAI_API_KEY, or add its key in the console (Settings, Models).',
  anthropic: 'Set ANTHROPIC_API_KEY, or add its key in the console (Settings, Models).',
  google: 'Set GOOGLE_GENERATIVE_AI_API_KEY, or add its key in the console (Settings, Models).',
  'openai-compatible': 'Set OPENAI_COMPATIBLE_BASE_URL (and OPENAI_COMPATIBLE_API_KEY where the server asks for a key).',
  demo: 'The demo models are switched off on this server.',
};

const createAdapters = (config: ModelsConfig): ReadonlyMap<string, Adapter> => {
  const named = Object.entries(config.named ?? {}).map(([name, provider]) => {
    // One that took the place of a built-in provider would also take its prices and its help texts.
    if (Object.hasOwn(howToConfigure, name) || name.includes(':')) throw new Error(`A provider cannot be named "${name}".`);
    return createCompatibleAdapter(name, provider);
  });
  const adapters = [
    ...(config.openai ? [createOpenAIAdapter(config.openai)] : []),
    ...(config.anthropic ? [createAnthropicAdapter(config.anthropic)] : []),
    ...(config.google ? [createGoogleAdapter(config.google)] : []),
    ...(config.openaiCompatible ? [createCompatibleAdapter('openai-compatible', config.openaiCompatible)] : []),
    ...named,
  ];
  return new Map(adapters.map((adapter) => [adapter.provider, adapter]));
};

const notConfigured = (name: string): ModelError => {
  const parsed = parseModelName(name);
  if (parsed === undefined) {
    return new ModelError(`"${name}" is not a model name. Write provider:model, e.g. openai:gpt-5-mini or demo:welcome.`, {
      code: 'model_not_configured',
      retryable: false,
    });
  }
  const hint = Object.hasOwn(howToConfigure, parsed.provider)
    ? howToConfigure[parsed.provider]
    : `Add it to "providers" in the configuration file, as {"${parsed.provider}": {"type": "openai-compatible", "baseURL": "…"}}.`;
  return new ModelError(`The model provider "${parsed.provider}" is not configured. ${hint}`, { code: 'model_not_configured', retryable: false });
};

const unknownDemo = (name: string, demo: Demo): ModelError =>
  new ModelError(`There is no model "${name}". Try ${demo.names.join(', ')}.`, { code: 'model_not_configured', retryable: false });

// biome-ignore lint/correctness/useYield: a stream that fails before its first part
async function* failing(error: ModelError): AsyncGenerator<ModelPart, void, undefined> {
  throw error;
}

/** Throws for a named provider with a reserved name. Streams throw a `ModelError` of code `model_not_configured` for a provider that is not in `config`. */
export const createModels = (config: ModelsConfig, { clock, limits = defaultSilenceLimits }: ModelsOptions): Models => {
  const adapters = createAdapters(config);
  const demo = config.demo ? createDemo({ clock }) : undefined;

  const stream = (request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> => {
    const name = parseModelName(request.model);
    if (name === undefined) return failing(notConfigured(request.model));
    if (name.provider === 'demo' && demo !== undefined) {
      return demo.has(name.model) ? demo.stream(name.model, request, signal) : failing(unknownDemo(request.model, demo));
    }
    const adapter = adapters.get(name.provider);
    if (adapter === undefined) return failing(notConfigured(request.model));
    return callProvider({ adapter, model: name.model, request, signal, clock, limits });
  };

  return {
    stream,
    has: (model) => {
      const name = parseModelName(model);
      if (name === undefined) return false;
      return name.provider === 'demo' ? (demo?.has(name.model) ?? false) : adapters.has(name.provider);
    },
    list: () => [...[...adapters.values()].flatMap((adapter) => adapter.defaultModels.map((model) => `${adapter.provider}:${model}`)), ...(demo?.names ?? [])],
    // The demo models look at text, and at nothing else that they are sent.
    inputFault: (model, medium) => {
      const adapter = adapters.get(parseModelName(model)?.provider ?? '');
      return adapter && mediumFault(adapter, medium);
    },
    price: createPricing(config.prices),
    priceInForce: createPriceInForce(config.prices),
  };
};
