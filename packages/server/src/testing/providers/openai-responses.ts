/** OpenAI's Responses API, with `store: false` and encrypted reasoning. */
import { deltasOf, type FakeAnswer, type FakePart } from './fake-answer.ts';
import { asList, asObject, pairFaults, sign, sse, type WireFormat } from './wire-format.ts';

const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'fake' };

const event = (type: string, data: Readonly<Record<string, unknown>>): string => sse({ type, sequence_number: 0, ...data }, type);

const encodePart = (part: FakePart, at: number, units: number | undefined): string => {
  const place = { output_index: at };
  if ('text' in part) {
    const id = `msg_${at}`;
    return [
      event('response.output_item.added', { ...place, item: { type: 'message', id, role: 'assistant', content: [] } }),
      ...deltasOf(part.text, units).map((delta) => event('response.output_text.delta', { ...place, item_id: id, content_index: 0, delta })),
      event('response.output_item.done', { ...place, item: { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text: part.text }] } }),
    ].join('');
  }
  if ('reasoning' in part) {
    const id = `rs_${at}`;
    const summary = { ...place, item_id: id, summary_index: 0 };
    return [
      event('response.output_item.added', { ...place, item: { type: 'reasoning', id, summary: [], encrypted_content: null } }),
      event('response.reasoning_summary_part.added', summary),
      ...deltasOf(part.reasoning, units).map((delta) => event('response.reasoning_summary_text.delta', { ...summary, delta })),
      event('response.reasoning_summary_part.done', summary),
      event('response.output_item.done', { ...place, item: { type: 'reasoning', id, encrypted_content: sign(part.reasoning), summary: [] } }),
    ].join('');
  }
  const { id: callId, name, args } = part.call;
  const item = { type: 'function_call', id: `fc_${at}`, call_id: callId, name };
  return [
    event('response.output_item.added', { ...place, item: { ...item, arguments: '', status: 'in_progress' } }),
    ...deltasOf(args, units).map((delta) => event('response.function_call_arguments.delta', { ...place, item_id: item.id, delta })),
    event('response.function_call_arguments.done', { ...place, item_id: item.id, arguments: args }),
    event('response.output_item.done', { ...place, item: { ...item, arguments: args, status: 'completed' } }),
  ].join('');
};

const encode = ({ parts, usage, finish, deltaUnits }: FakeAnswer): string => {
  const counted = usage && {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
  const end = finish === undefined ? 'response.completed' : 'response.incomplete';
  const details = finish === undefined ? null : { reason: 'max_output_tokens' };
  return [
    event('response.created', { response }),
    event('response.in_progress', { response }),
    // A newer kind of event, which a client has to ignore.
    event('response.from_the_future', { anything: true }),
    ...parts.map((part, at) => encodePart(part, at, deltaUnits)),
    event(end, { response: { ...response, incomplete_details: details, usage: counted ?? null } }),
  ].join('');
};

/** Calls of one answer stand together, and all their outputs follow before anything else. */
const inputFaults = (input: readonly Readonly<Record<string, unknown>>[]): readonly string[] => {
  const found: string[] = [];
  let at = 0;
  const take = (type: string): readonly Readonly<Record<string, unknown>>[] => {
    const start = at;
    while (input[at]?.type === type) at += 1;
    return input.slice(start, at);
  };
  while (at < input.length) {
    const item = input[at];
    if (item?.type === 'function_call' || item?.type === 'function_call_output') {
      const where = `input ${at}`;
      const calls = take('function_call').map((call) => String(call.call_id));
      found.push(
        ...pairFaults(
          calls,
          take('function_call_output').map((output) => String(output.call_id)),
          where,
        ),
      );
      continue;
    }
    if (item?.type === 'item_reference') found.push(`input ${at}: refers to an item that was not stored`);
    if (item?.type === 'reasoning') {
      const summary = asList(item.summary)
        .map((part) => String(part.text))
        .join('');
      if (item.encrypted_content !== sign(summary)) found.push(`input ${at}: reasoning with the wrong encrypted content`);
      const next = input[at + 1];
      if (next?.type !== 'function_call' && next?.type !== 'reasoning' && next?.role !== 'assistant')
        found.push(`input ${at}: reasoning without what followed it`);
    }
    if (item?.role === 'assistant' && item.content === '') found.push(`input ${at}: empty assistant message`);
    at += 1;
  }
  const roles = input.flatMap((item) => (item.role === 'user' || item.role === 'assistant' ? [item.role] : []));
  if (roles[0] !== 'user') found.push('does not begin with a user message');
  return found;
};

const faults: WireFormat['faults'] = (path, headers, body) => {
  const request = asObject(body);
  return [
    ...(path === '/responses' ? [] : [`path ${path}`]),
    ...(String(headers.authorization).startsWith('Bearer ') ? [] : ['no authorization']),
    ...(request.store === false ? [] : ['store is not false']),
    ...inputFaults(asList(request.input)),
  ];
};

export const openaiResponses: WireFormat = {
  encode,
  errorBody: ({ message = 'fake failure', code }) => JSON.stringify({ error: { message, type: 'fake_error', param: null, code: code ?? null } }),
  faults,
};
