/**
 * How many tokens a model's prompt and answer may have together, where the agent's definition does not say (`contextWindow`).
 *
 * A guess that is too low costs detail of old turns, one that is too high a refused call: it is compacted then. Names that are
 * not known are taken for small models.
 */
const unknownModel = 32_000;

/** The first that fits the name without its provider. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/^(gpt-4\.1)/, 1_000_000],
  [/^gpt-5/, 400_000],
  [/^(gpt-4o|gpt-4-turbo|chatgpt-4o|gpt-oss)/, 128_000],
  [/^o[1-9](-|$)/, 128_000],
  [/^gpt-4(-|$)/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^claude/, 200_000],
  [/^gemini/, 1_000_000],
  [/^(deepseek|kimi|glm|llama-?(3\.[1-9]|4)|mistral-(large|medium)|grok)/, 128_000],
];
/** The scripted models have no limit of their own. */
const demoWindow = 1_000_000;

/** `model` as in a definition: `provider:name`; the name may have an owner (`owner/name`). */
export const contextWindowOf = (model: string): number => {
  const [provider = '', ...rest] = model.split(':');
  if (provider === 'demo') return demoWindow;
  const name = rest.join(':').split('/').at(-1)?.toLowerCase() ?? '';
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel;
};
