/** What providers can be shown: said before a message is accepted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { createAnthropicAdapter } from './anthropic.ts';
import { createModels } from './create-models.ts';
import { createGoogleAdapter } from './google.ts';
import { createOpenAIAdapter } from './openai.ts';
import { createCompatibleAdapter } from './openai-compatible.ts';

const key = { apiKey: 'k' };
const models = createModels(
  { openai: key, anthropic: key, google: key, openaiCompatible: { baseURL: 'http://localhost:1' }, demo: true },
  { clock: new ManualClock() },
);
const bytes = (mediaType: string) => ({ mediaType, isUrl: false });
const url = (mediaType: string) => ({ mediaType, isUrl: true });

it.each([
  ['openai:x', bytes('image/png'), true],
  ['openai:x', url('image'), true],
  ['openai:x', bytes('application/pdf'), true],
  ['openai:x', bytes('audio/wav'), false],
  ['anthropic:x', bytes('video/mp4'), false],
  ['anthropic:x', bytes('application/zip'), false],
  ['google:x', bytes('video/mp4'), true],
  ['openai-compatible:x', bytes('audio/wav'), true],
  ['openai-compatible:x', bytes('audio/ogg'), false],
  ['openai-compatible:x', bytes('audio'), true],
  ['openai-compatible:x', url('audio/wav'), false],
  ['openai-compatible:x', url('application/pdf'), false],
  // Text is shown as text, to every model.
  ['anthropic:x', bytes('text/csv; charset=utf-8'), true],
  ['openai:x', bytes('application/json'), true],
  // What nobody knows is not refused: its provider may be switched on later.
  ['mistral:x', bytes('video/mp4'), true],
  ['demo:echo', bytes('video/mp4'), true],
])('%s %j: %s', (model, medium, taken) => expect(models.inputFault(model, medium) === undefined).toBe(taken));

it('says what is taken instead', () => {
  expect(models.inputFault('anthropic:x', bytes('audio/wav'))).toBe('models of "anthropic" take no audio/wav; they take image/*, application/pdf');
  expect(models.inputFault('openai-compatible:x', url('audio/wav'))).toContain('as bytes only');
});

it('docs/models.md says what each takes', () => {
  const adapters = [
    createOpenAIAdapter(key),
    createAnthropicAdapter(key),
    createGoogleAdapter(key),
    createCompatibleAdapter('openai-compatible', { baseURL: '' }),
  ];
  const cell = (types: readonly string[]): string => types.map((type) => `\`${type}\``).join(' ');
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/models.md'), 'utf8');
  for (const { provider, inputMedia } of adapters) expect(docs).toContain(`| \`${provider}\` | ${cell(inputMedia.types)} | ${cell(inputMedia.byUrl)} |`);
});
