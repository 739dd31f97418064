import { createAnthropic } from '@ai-sdk/anthropic';
import type { Adapter } from './adapter.ts';
import type { ProviderConfig } from './models-config.ts';

/** Anthropic's rule is to ignore event types one does not know; the AI SDK reports them as errors. */
const knownEvents: ReadonlySet<unknown> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error',
]);

const isUnknownEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && !knownEvents.has(value.type);

/** Anthropic through its Messages API. */
export const createAnthropicAdapter = ({ apiKey, baseURL = 'https://api.anthropic.com/v1' }: ProviderConfig): Adapter => ({
  provider: 'anthropic',
  metadataKey: 'anthropic',
  createModel: (model, fetch) => createAnthropic({ apiKey, baseURL, fetch }).messages(model),
  providerOptions: {},
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  toolResultMedia: { kinds: ['image'], urls: true },
  inputMedia: { types: ['image/*', 'application/pdf'], byUrl: ['image/*', 'application/pdf'] },
  isUnknownEvent,
  secrets: [apiKey],
  defaultModels: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-4-5'],
});
