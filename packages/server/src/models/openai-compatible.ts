import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Adapter } from './adapter.ts';
import type { CompatibleConfig } from './models-config.ts';

/** Any server that speaks OpenAI's chat completions, e.g. Ollama, vLLM, a gateway. `provider` is its name in model names. */
export const createCompatibleAdapter = (provider: string, { baseURL, apiKey, models = [] }: CompatibleConfig): Adapter => ({
  provider,
  metadataKey: 'compatible',
  // Without `includeUsage` such servers report no usage in streams.
  createModel: (model, fetch) =>
    createOpenAICompatible({ name: 'compatible', baseURL, fetch, includeUsage: true, ...(apiKey ? { apiKey } : {}) }).chatModel(model),
  providerOptions: {},
  toolResultMedia: { kinds: [], urls: false },
  inputMedia: { types: ['image/*', 'video/*', 'audio/wav', 'audio/mpeg', 'audio/mp3', 'application/pdf'], byUrl: ['image/*', 'video/*'] },
  isUnknownEvent: () => false,
  secrets: apiKey ? [apiKey] : [],
  defaultModels: models,
});
