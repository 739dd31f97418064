import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import type { Adapter } from './adapter.ts';
import { createBreather } from './breather.ts';
import { callProvider } from './call-provider.ts';
import { defaultSilenceLimits } from './silence-watch.ts';

/** How often others had their turn meanwhile. */
const turnsDuring = async (work: () => Promise<void>): Promise<number> => {
  let turns = 0;
  let next = setImmediate(function beat() {
    turns += 1;
    next = setImmediate(beat);
  });
  await work();
  clearImmediate(next);
  return turns;
};

it('others have their turn at least every 200 parts', async () => {
  const breathe = createBreather();
  const turns = await turnsDuring(async () => {
    for (let n = 0; n < 2_000; n += 1) await breathe();
  });
  expect(turns).toBeGreaterThanOrEqual(10);
});

it('also while a provider sends parts that say nothing', async () => {
  const silent: LanguageModelV4StreamPart[] = Array.from({ length: 5_000 }, () => ({ type: 'raw', rawValue: 0 }));
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      for (const part of silent) controller.enqueue(part);
      controller.close();
    },
  });
  const adapter: Adapter = {
    provider: 'p',
    metadataKey: 'p',
    createModel: () => ({ doStream: async () => ({ stream }) }) as unknown as LanguageModelV4,
    providerOptions: {},
    toolResultMedia: { kinds: [], urls: false },
    inputMedia: { types: [], byUrl: [] },
    isUnknownEvent: () => false,
    secrets: [],
    defaultModels: [],
  };
  const request = { model: 'p:x', system: '', messages: [], tools: [] };
  const call = { adapter, model: 'x', request, signal: new AbortController().signal, clock: systemClock, limits: defaultSilenceLimits };
  const turns = await turnsDuring(() => expect(callProvider(call).next()).rejects.toThrow('ended before it was complete'));
  expect(turns).toBeGreaterThanOrEqual(20);
});
