/** OpenAI's chat completions, as compatible servers speak them. */
import { deltasOf, type FakeAnswer, type FakePart } from './fake-answer.ts';
import { asList, asObject, pairFaults, sse, type WireFormat } from './wire-format.ts';

const chunk = (delta: unknown, finish: string | null = null): string =>
  sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [{ index: 0, delta, finish_reason: finish }] });

const encodePart = (part: FakePart, index: number, units: number | undefined): string => {
  if ('text' in part)
    return deltasOf(part.text, units)
      .map((content) => chunk({ content }))
      .join('');
  if ('reasoning' in part)
    return deltasOf(part.reasoning, units)
      .map((text) => chunk({ reasoning_content: text }))
      .join('');
  const { id, name, args } = part.call;
  return [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...deltasOf(args, units).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
  ].join('');
};

const encode = ({ parts, usage, finish, deltaUnits }: FakeAnswer): string => {
  const calls = parts.filter((part) => 'call' in part);
  const counted = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...parts.map((part) => encodePart(part, calls.indexOf(part as (typeof calls)[number]), deltaUnits)),
    chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(counted ? [sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [], usage: counted })] : []),
    'data: [DONE]\n\n',
  ].join('');
};

const faults: WireFormat['faults'] = (path, headers, body) => {
  const found: string[] = [];
  if (path !== '/chat/completions') found.push(`path ${path}`);
  if (headers.authorization === '') found.push('empty authorization');
  const request = asObject(body);
  if (asObject(request.stream_options).include_usage !== true) found.push('usage is not asked for');
  const messages = asList(request.messages).filter((message) => message.role !== 'system');
  if (asList(request.messages).some((message, at) => message.role === 'system' && at > 0)) found.push('a system message that is not the first');
  if (messages[0]?.role !== 'user') found.push('does not begin with a user message');
  for (const [at, message] of messages.entries()) {
    const next = messages[at + 1];
    if (message.role === 'user' && next !== undefined && next.role !== 'assistant') found.push(`${next.role} after user at ${at}`);
    if (message.role !== 'assistant') continue;
    const wanted = asList(message.tool_calls).map((call) => String(call.id));
    const end = messages.findIndex((other, index) => index > at && other.role !== 'tool');
    const given = messages.slice(at + 1, end === -1 ? undefined : end).map((result) => String(result.tool_call_id));
    found.push(...pairFaults(wanted, given, `message ${at}`));
    if (next === undefined || (wanted.length === 0 && next.role !== 'user')) found.push(`${next?.role ?? 'nothing'} after assistant at ${at}`);
    if (wanted.length === 0 && !message.content) found.push(`an empty assistant message at ${at}`);
    for (const call of asList(message.tool_calls)) if (!isJson(asObject(call.function).arguments)) found.push(`arguments of ${call.id} are not JSON`);
  }
  return found;
};

const isJson = (text: unknown): boolean => {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
};

export const openaiChat: WireFormat = {
  encode,
  errorBody: ({ message = 'fake failure', code }) => JSON.stringify({ error: { message, type: 'fake_error', param: null, code: code ?? null } }),
  faults,
};
