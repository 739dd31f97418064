/**
 * Use case: does a model answer? For admins, who have just set a key.
 *
 * TZ1 One small call, once, and not for long: what a test costs is bounded, also where a model talks on. What failed is
 *     told in the provider's words as the models' port gives them, which carry no credential (M5).
 */
import type { TestModelAnswer, TestModelRequest } from '@turnkeeper/core/protocol/wire/server';
import { ModelError } from '../ports/model.ts';
import { requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

const patienceMs = 30_000;
const enoughCharacters = 200;

const question = (model: string) => ({
  model,
  system: 'Answer with one word.',
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say OK.' }] }],
  tools: [],
});

const tooSlow = `No answer came within ${patienceMs / 1_000} s.`;

const said = async (app: App, model: string, signal: AbortSignal): Promise<string> => {
  let text = '';
  for await (const part of app.models.stream(question(model), signal)) {
    if (part.type === 'text_delta') text += part.text;
    if (text.length >= enoughCharacters) break;
  }
  return [...text].slice(0, enoughCharacters).join('');
};

/** Throws `forbidden`. A model that does not answer is an answer. */
export const testModel = async (app: App, caller: Caller, { model }: TestModelRequest): Promise<TestModelAnswer> => {
  requireAdmin(caller, 'test models');
  const began = app.clock.now();
  const controller = new AbortController();
  const stop = app.clock.after(patienceMs, () => controller.abort());
  const tookMs = (): number => Math.max(app.clock.now() - began, 0);
  try {
    const text = await said(app, model, controller.signal);
    return { ok: true, text, error: null, status: null, durationMs: tookMs() };
  } catch (error) {
    if (controller.signal.aborted) return { ok: false, text: '', error: tooSlow, status: null, durationMs: tookMs() };
    if (error instanceof ModelError) return { ok: false, text: '', error: error.message, status: error.status ?? null, durationMs: tookMs() };
    throw error;
  } finally {
    stop();
    controller.abort();
  }
};
