/** Every provider with the fake that speaks its wire format, for tests that hold for all of them. */
import type { PromptMessage } from '@turnkeeper/core/session/context';
import { createModels } from '../../models/create-models.ts';
import type { ModelsConfig } from '../../models/models-config.ts';
import { systemClock } from '../../ports/clock.ts';
import type { Models, ToolSpec } from '../../ports/model.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { type CollectedAnswer, collectAnswer } from './collect-answer.ts';
import type { FakeAnswer, FakeReply } from './fake-answer.ts';
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from './fake-provider.ts';
import { googleGenerate } from './google-generate.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { WireFormat } from './wire-format.ts';

export const providerKey = 'sk-very-secret-key-0123456789';

export type ProviderCase = {
  readonly name: string;
  readonly model: string;
  readonly format: WireFormat;
  readonly config: (baseURL: string) => Omit<ModelsConfig, 'demo'>;
};

const apiKey = providerKey;

export const providerCases: readonly ProviderCase[] = [
  { name: 'openai', model: 'openai:gpt-5-mini', format: openaiResponses, config: (baseURL) => ({ openai: { apiKey, baseURL } }) },
  { name: 'anthropic', model: 'anthropic:claude-sonnet-4-5', format: anthropicMessages, config: (baseURL) => ({ anthropic: { apiKey, baseURL } }) },
  { name: 'google', model: 'google:gemini-3.5-flash', format: googleGenerate, config: (baseURL) => ({ google: { apiKey, baseURL } }) },
  { name: 'openai-compatible', model: 'openai-compatible:qwen', format: openaiChat, config: (baseURL) => ({ openaiCompatible: { apiKey, baseURL } }) },
  { name: 'named', model: 'local:qwen', format: openaiChat, config: (baseURL) => ({ named: { local: { type: 'openai-compatible', baseURL } } }) },
];

export const providerTools: readonly ToolSpec[] = [
  { name: 'time', description: 'Tells the time', inputSchema: {} },
  { name: 'note', description: 'Takes a note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
];

export const userSays = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export const answering = (answer: FakeAnswer): FakeReply => ({ kind: 'answer', answer });

export type ProviderSetUp = {
  readonly server: FakeProvider;
  readonly models: Models;
  readonly ask: (messages?: readonly PromptMessage[], signal?: AbortSignal) => Promise<CollectedAnswer>;
};

/** A fake of the case's provider, models that know only it, and a way to ask it. The caller closes `server`. */
export const setUpProvider = async ({ model, format, config }: ProviderCase, options?: FakeProviderOptions): Promise<ProviderSetUp> => {
  const server = await startFakeProvider(format, options);
  const models = createModels({ demo: false, ...config(server.url) }, { clock: systemClock });
  return {
    server,
    models,
    ask: (messages = [userSays('hi')], signal = new AbortController().signal) =>
      collectAnswer(models.stream({ model, system: 'Be brief.', messages, tools: providerTools }, signal)),
  };
};
