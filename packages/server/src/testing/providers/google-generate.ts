/** Google's `streamGenerateContent`, with thoughts and their signatures. */
import { deltasOf, type FakeAnswer, type FakePart } from './fake-answer.ts';
import { asList, asObject, sign, sse, type WireFormat } from './wire-format.ts';

const content = (parts: readonly unknown[], finish?: string): string =>
  sse({
    responseId: 'r1',
    modelVersion: 'fake',
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finish === undefined ? {} : { finishReason: finish }) }],
  });

/** Google sends a call whole, its arguments as an object. Text that is no JSON object cannot be written in this format. */
const encodePart = (part: FakePart, units: number | undefined): string => {
  if ('text' in part)
    return deltasOf(part.text, units)
      .map((text) => content([{ text }]))
      .join('');
  if ('reasoning' in part)
    return deltasOf(part.reasoning, units)
      .map((text) => content([{ text, thought: true }]))
      .join('');
  const { id, name, args } = part.call;
  return content([{ functionCall: { id, name, args: JSON.parse(args) }, thoughtSignature: sign(name + args) }]);
};

const encode = ({ parts, usage, finish, deltaUnits }: FakeAnswer): string => {
  const counted = usage && {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
    thoughtsTokenCount: usage.reasoning ?? 0,
    cachedContentTokenCount: usage.cached ?? 0,
    totalTokenCount: usage.input + usage.output,
  };
  const said = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('');
  const signature = said === '' ? [] : [{ text: '', thoughtSignature: sign(said) }];
  return [
    ...parts.map((part) => encodePart(part, deltaUnits)),
    sse({
      responseId: 'r1',
      candidates: [{ index: 0, content: { role: 'model', parts: signature }, finishReason: finish === 'length' ? 'MAX_TOKENS' : 'STOP' }],
      ...(counted ? { usageMetadata: counted } : {}),
    }),
  ].join('');
};

const callName = (call: Readonly<Record<string, unknown>>): string => `${String(call.name)}/${String(call.id ?? '')}`;

const faults: WireFormat['faults'] = (path, headers, body) => {
  const found: string[] = [];
  if (!/^\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(path)) found.push(`path ${path}`);
  if (!headers['x-goog-api-key']) found.push('no key');
  const contents = asList(asObject(body).contents);
  if (contents[0]?.role !== 'user') found.push('does not begin with a user message');
  for (const [at, message] of contents.entries()) {
    const next = contents[at + 1];
    const parts = asList(message.parts);
    // What functions answered goes by the user's role; what the user says then may stand behind it.
    const answers = parts.some((part) => part.functionResponse !== undefined);
    if (message.role === next?.role && !answers) found.push(`two ${message.role} messages in a row at ${at}`);
    if (parts.length === 0) found.push(`message ${at}: no parts`);
    if (message.role !== 'model') continue;
    const calls = parts.flatMap((part) => (part.functionCall === undefined ? [] : [part]));
    const given = asList(next?.parts).flatMap((part) => (part.functionResponse === undefined ? [] : [asObject(part.functionResponse)]));
    const wanted = calls.map((part) => callName(asObject(part.functionCall)));
    if (wanted.join() !== given.map(callName).join()) found.push(`message ${at}: calls [${wanted.join()}] answered by [${given.map(callName).join()}]`);
    const signed = calls[0] && asObject(calls[0].functionCall);
    const signature = calls[0]?.thoughtSignature;
    // The second is what Google documents for calls of another model.
    if (signed && signature !== sign(String(signed.name) + JSON.stringify(signed.args)) && signature !== 'skip_thought_signature_validator')
      found.push(`message ${at}: a wrong thought signature`);
    const text = parts.filter((part) => part.thought !== true && typeof part.text === 'string');
    const said = text.map((part) => part.text).join('');
    // Google lets text come without one, but not with another's.
    if (text.some((part) => part.thoughtSignature !== undefined && part.thoughtSignature !== sign(said)))
      found.push(`message ${at}: text with a wrong thought signature`);
  }
  return found;
};

export const googleGenerate: WireFormat = {
  encode,
  errorBody: ({ status, message = 'fake failure', code }) =>
    JSON.stringify({
      error: { code: status, message, status: code ?? (status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT') },
    }),
  faults,
};
