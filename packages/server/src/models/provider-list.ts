/** Which providers there are, which of them are on, and what switches the others on. */
import type { ModelsConfig } from './models-config.ts';

export type ProviderState = {
  readonly name: string;
  readonly on: boolean;
  /** Its name, never its value. */
  readonly setting: string;
  /** Its key is a secret that an admin keeps. */
  readonly kept?: boolean;
  /** An admin may keep a key for it, or take away the one that is kept. */
  readonly keepable?: boolean;
};

export const listProviders = (config: ModelsConfig): readonly ProviderState[] => [
  { name: 'openai', on: config.openai !== undefined, setting: 'OPENAI_API_KEY' },
  { name: 'anthropic', on: config.anthropic !== undefined, setting: 'ANTHROPIC_API_KEY' },
  { name: 'google', on: config.google !== undefined, setting: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  { name: 'openai-compatible', on: config.openaiCompatible !== undefined, setting: 'OPENAI_COMPATIBLE_BASE_URL' },
  ...Object.keys(config.named ?? {}).map((name) => ({ name, on: true, setting: `providers.${name}` })),
  { name: 'demo', on: config.demo, setting: '--demo' },
];
