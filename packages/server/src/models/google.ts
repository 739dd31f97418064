import { createGoogle } from '@ai-sdk/google';
import type { Adapter } from './adapter.ts';
import type { ProviderConfig } from './models-config.ts';

/** Google's Gemini through `streamGenerateContent`. */
export const createGoogleAdapter = ({ apiKey, baseURL = 'https://generativelanguage.googleapis.com/v1beta' }: ProviderConfig): Adapter => ({
  provider: 'google',
  metadataKey: 'google',
  createModel: (model, fetch) => createGoogle({ apiKey, baseURL, fetch }).languageModel(model),
  providerOptions: {},
  toolResultMedia: { kinds: ['image', 'audio', 'video'], urls: false },
  inputMedia: { types: ['image/*', 'audio/*', 'video/*', 'application/pdf'], byUrl: ['image/*', 'audio/*', 'video/*', 'application/pdf'] },
  isUnknownEvent: () => false,
  secrets: [apiKey],
  defaultModels: ['gemini-3.8-flash', 'gemini-3.5-flash', 'gemini-3.1-pro-preview'],
});
