/**
 * What an answer is worth as the output that its session asks for.
 *
 * Every model can be told in words what is wanted, whatever its provider offers beyond that; whether it did as it was told is
 * seen here, and nowhere else.
 *
 * OJ1 Only what was parsed, can be kept (core F2), fits the schema and has all that the mapping names becomes a result.
 * OJ2 A schema, and an output however large or odd, costs this thread no more than to read it once: it is judged where schemas are
 *     [Q5].
 */
import type { Json } from '@turnkeeper/core/protocol/json';
import { valueAt } from '@turnkeeper/core/protocol/json-pointer';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { type Fault, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { JudgedOutput } from '@turnkeeper/core/session/commands';
import type { FrozenSchemas } from '../app/frozen-config.ts';
import type { Tools } from '../ports/tool.ts';

/** What the model is told beside its agent's own instructions. */
export const outputInstruction = (schemas: FrozenSchemas | undefined): string =>
  schemas?.output === undefined
    ? ''
    : `\n\nYour final answer, the one in which you call no tool, must be one JSON value and nothing else: no words before or after it. It must fit this JSON Schema:\n${JSON.stringify(schemas.output)}`;

const fence = '```';

/** JSON that a model has put between fences all the same. */
const withoutFence = (text: string): string => {
  const trimmed = text.trim();
  const isFenced = trimmed.length > 2 * fence.length && trimmed.startsWith(fence) && trimmed.endsWith(fence);
  return isFenced ? trimmed.slice(trimmed.indexOf('\n') + 1, -fence.length) : trimmed;
};

type Read = { readonly value: Json } | { readonly faults: readonly Fault[] };

const cannot = (detail: string): Read => ({ faults: [{ pointer: '', detail }] });

const parse = (text: string): Read => {
  try {
    return { value: JSON.parse(withoutFence(text)) as Json };
  } catch {
    return cannot('is not JSON');
  }
};

/** Without a schema any text is an output, too. */
const read = (text: string, { output }: FrozenSchemas): Read => {
  if (text.length > limits.outputCharacters) return cannot(`is longer than ${limits.outputCharacters} characters`);
  const parsed = parse(text);
  const found = 'value' in parsed || output ? parsed : { value: text };
  const unfit = 'value' in found ? wireFaults(found.value) : [];
  return unfit.length > 0 ? { faults: unfit } : found;
};

const faultText = ({ pointer, detail }: Fault): string => `${pointer || 'the answer'} ${detail}`;

const violation = (faults: readonly Fault[]): JudgedOutput => {
  const texts = faults.map(faultText);
  const repair = `Your answer is not what is asked for: ${texts.join('; ')}. Answer again with one JSON value that fits the schema, and nothing else.`;
  return { ok: false, errorCode: 'output_schema_violation', faults: texts, repair };
};

const mapped = (value: Json, mapping: NonNullable<FrozenSchemas['resultMapping']>): JudgedOutput => {
  const found = Object.entries(mapping).map(([name, pointer]) => ({ name, pointer, value: valueAt(value, pointer) }));
  const missing = found.flatMap((entry) => (entry.value === undefined ? [`${entry.name}: "${entry.pointer}" leads to nothing`] : []));
  if (missing.length > 0) return { ok: false, errorCode: 'output_mapping_failed', faults: missing };
  return { ok: true, result: Object.fromEntries(found.flatMap((entry) => (entry.value === undefined ? [] : [[entry.name, entry.value]]))) };
};

/** Judges the text of an answer without calls; undefined where the session asks for nothing. Never rejects. */
export const judgeOutput = async (tools: Pick<Tools, 'inputFaults'>, schemas: FrozenSchemas | undefined, text: string): Promise<JudgedOutput | undefined> => {
  if (!schemas?.output && !schemas?.resultMapping) return undefined;
  const found = read(text, schemas);
  if (!('value' in found)) return violation(found.faults);
  const unfit = schemas.output ? await tools.inputFaults(schemas.output, found.value) : [];
  if (unfit.length > 0) return violation(unfit);
  return schemas.resultMapping ? mapped(found.value, schemas.resultMapping) : { ok: true, result: found.value };
};
