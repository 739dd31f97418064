/** Anthropic's Messages API, with thinking. */
import { deltasOf, type FakeAnswer, type FakePart } from './fake-answer.ts';
import { asList, asObject, pairFaults, sign, sse, type WireFormat } from './wire-format.ts';

const event = (type: string, data: Readonly<Record<string, unknown>> = {}): string => sse({ type, ...data }, type);

const block = (index: number, start: unknown, deltas: readonly unknown[]): string =>
  [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ].join('');

const encodePart = (part: FakePart, index: number, units: number | undefined): string => {
  if ('text' in part)
    return block(
      index,
      { type: 'text', text: '' },
      deltasOf(part.text, units).map((text) => ({ type: 'text_delta', text })),
    );
  if ('reasoning' in part) {
    const deltas = deltasOf(part.reasoning, units).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return block(index, { type: 'thinking', thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: sign(part.reasoning) }]);
  }
  const { id, name, args } = part.call;
  return block(
    index,
    { type: 'tool_use', id, name, input: {} },
    deltasOf(args, units).map((text) => ({ type: 'input_json_delta', partial_json: text })),
  );
};

const encode = ({ parts, usage, finish, deltaUnits }: FakeAnswer): string => {
  const reason = finish === 'length' ? 'max_tokens' : parts.some((part) => 'call' in part) ? 'tool_use' : 'end_turn';
  // Anthropic counts cached input apart.
  const [read, written] = [usage?.cached ?? 0, usage?.written ?? 0];
  const input = { input_tokens: (usage?.input ?? 0) - read - written, cache_read_input_tokens: read, cache_creation_input_tokens: written };
  return [
    event('message_start', {
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
    }),
    event('ping'),
    // A newer kind of event, which a client has to ignore.
    event('from_the_future', { anything: true }),
    ...parts.map((part, index) => encodePart(part, index, deltaUnits)),
    event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: usage?.output ?? 0 } }),
    event('message_stop'),
  ].join('');
};

type Content = readonly Readonly<Record<string, unknown>>[];

const contentOf = (message: Readonly<Record<string, unknown>> | undefined): Content =>
  typeof message?.content === 'string' ? [{ type: 'text', text: message.content }] : asList(message?.content);

const assistantFaults = (content: Content, at: number): readonly string[] => {
  const thinking = content.filter((part) => part.type === 'thinking');
  return [
    ...thinking.filter((part) => part.signature !== sign(String(part.thinking))).map(() => `message ${at}: thinking with a wrong signature`),
    ...(thinking.length > 0 && content[0]?.type !== 'thinking' ? [`message ${at}: thinking is not first`] : []),
  ];
};

/** At most four, and none where it means nothing. */
const markFaults = (request: Readonly<Record<string, unknown>>): readonly string[] => {
  const content = asList(request.messages).flatMap(contentOf);
  const shown = content.filter((part) => part.type === 'tool_result').flatMap((part) => asList(part.content));
  const marked = [...asList(request.tools), ...asList(request.system), ...content, ...shown].filter((part) => part.cache_control !== undefined);
  return [
    ...(marked.length > 4 ? [`${marked.length} cache marks`] : []),
    ...marked.filter((part) => asObject(part.cache_control).type !== 'ephemeral').map(() => 'a cache mark of no known type'),
    ...marked.filter((part) => part.type === 'thinking' || (part.type === 'text' && part.text === '')).map(() => 'a cache mark where none may be'),
  ];
};

const faults: WireFormat['faults'] = (path, headers, body) => {
  const found: string[] = [];
  if (path !== '/messages') found.push(`path ${path}`);
  if (!headers['x-api-key'] || !headers['anthropic-version']) found.push('no key or version');
  const request = asObject(body);
  if (!(Number(request.max_tokens) > 0)) found.push('no max_tokens');
  for (const tool of asList(request.tools)) if (asObject(tool.input_schema).type !== 'object') found.push(`the schema of ${tool.name} is no object`);
  found.push(...markFaults(request));
  const messages = asList(request.messages);
  if (messages[0]?.role !== 'user') found.push('does not begin with a user message');
  for (const [at, message] of messages.entries()) {
    const content = contentOf(message);
    const next = messages[at + 1];
    if (message.role === next?.role) found.push(`two ${message.role} messages in a row at ${at}`);
    if (content.length === 0 || content.some((part) => part.type === 'text' && String(part.text).trim() === '')) found.push(`message ${at}: empty text`);
    const results = content.findLastIndex((part) => part.type === 'tool_result');
    if (message.role === 'user' && content.slice(0, results + 1).some((part) => part.type !== 'tool_result'))
      found.push(`message ${at}: results are not first`);
    const asked = content.flatMap((part) => (part.type === 'tool_use' ? [String(part.id)] : []));
    const given = contentOf(next).flatMap((part) => (part.type === 'tool_result' ? [String(part.tool_use_id)] : []));
    if (message.role === 'assistant') found.push(...assistantFaults(content, at), ...pairFaults(asked, given, `message ${at}`));
    if (at === 0 && results !== -1) found.push('results without a request');
  }
  return found;
};

export const anthropicMessages: WireFormat = {
  encode,
  errorBody: ({ status, message = 'fake failure', code }) =>
    JSON.stringify({
      type: 'error',
      error: { type: code ?? (status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error'), message },
    }),
  faults,
};
