import { createOpenAI } from '@ai-sdk/openai';
import type { Adapter } from './adapter.ts';
import type { ProviderConfig } from './models-config.ts';

/**
 * OpenAI through its Responses API. `store: false`: the prompt is ours and complete, so OpenAI keeps no copy, and
 * encrypted reasoning travels with the context; references to stored items would break after restore and fork.
 */
export const createOpenAIAdapter = ({ apiKey, baseURL = 'https://api.openai.com/v1' }: ProviderConfig): Adapter => ({
  provider: 'openai',
  metadataKey: 'openai',
  createModel: (model, fetch) => createOpenAI({ apiKey, baseURL, fetch }).responses(model),
  providerOptions: { openai: { store: false } },
  toolResultMedia: { kinds: ['image'], urls: true },
  inputMedia: { types: ['image/*', 'application/pdf'], byUrl: ['image/*', 'application/pdf'] },
  isUnknownEvent: () => false,
  secrets: [apiKey],
  defaultModels: ['gpt-6-sol', 'gpt-6-luna', 'gpt-5.4-mini'],
});
