/**
 * A tool that is one request to an API.
 *
 * H3 One call is one request: redirects are not followed, and nothing is sent again.
 * H4 Secrets are looked up for each call, stand in headers and the body only, and are taken out of all that comes back.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { secretRefsIn } from '@turnkeeper/core/protocol/secret-refs';
import type { HttpTool } from '@turnkeeper/core/protocol/wire/agents';
import type { Dispatcher } from 'undici';
import { networkFault } from '../../outbound/network-fault.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Tool, ToolAnswer } from '../../ports/tool.ts';
import { blockOfBody, readBody } from '../read-body.ts';
import type { Redaction } from '../secrets/redaction.ts';
import { type ResolvedValues, resolveValues } from '../secrets/resolve-values.ts';
import { headerRefusal, isOtherJson, isPartlyFilled } from './request-faults.ts';
import { fillBody, fillForm, fillHeader, fillUrl, InputUnfit } from './templates.ts';

const defaultTimeoutMs = 30_000;

export type HttpServices = { readonly outbound: Outbound; readonly secrets: Secrets };

type Filled = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | undefined };

/** Names in lower case, with the server's own where the definition has none. */
const headersFor = (resolved: ResolvedValues, input: JsonObject): Record<string, string> => {
  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.9, */*;q=0.5', 'user-agent': 'turnkeeper' };
  for (const [name, value] of Object.entries(resolved.values)) {
    if (headerRefusal(name, resolved.secret.has(name) ? undefined : value) !== undefined) continue;
    const filled = resolved.secret.has(name) ? value.trim() : fillHeader(name, value, input);
    if (filled !== undefined) headers[name.toLowerCase()] = filled;
  }
  // Answers are bounded as they come: what unfolds to a thousand times its size is not asked for.
  headers['accept-encoding'] = 'identity';
  return headers;
};

const isJson = (contentType: string): boolean => /^application\/(?:.*\+)?json\b/i.test(contentType);

const fill = ({ request: wanted }: HttpTool, resolved: ResolvedValues, input: JsonObject): Filled => {
  const headers = headersFor(resolved, input);
  const url = fillUrl(wanted.url, input);
  if (wanted.body === undefined) return { url, headers, body: undefined };
  headers['content-type'] ??= 'application/json';
  const contentType = headers['content-type'];
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return { url, headers, body: fillForm(wanted.body, input, resolved.other) };
  const isTextOfJson = isOtherJson(contentType);
  if (isTextOfJson && isPartlyFilled(wanted.body)) throw new InputUnfit(`A text sent as ${contentType} cannot be filled in.`);
  const body = fillBody(wanted.body, input, resolved.other);
  if (body === undefined) return { url, headers, body };
  // What a model gave for the whole of it is a value there, too.
  const isValue = isJson(contentType) || (isTextOfJson && body !== wanted.body);
  return { url, headers, body: typeof body === 'string' && !isValue ? body : JSON.stringify(body) };
};

const answerOf = async (response: Dispatcher.ResponseData, redaction: Redaction): Promise<ToolAnswer> => {
  const { statusCode, headers } = response;
  const body = blockOfBody(await readBody(response), redaction);
  const content: readonly OutputBlock[] = body ? [body] : [];
  if (statusCode >= 300 && statusCode < 400) {
    const location = headers['location'];
    const text = `HTTP ${statusCode}: redirects are not followed${typeof location === 'string' ? `; it leads to ${location}` : ''}.`;
    return { output: [{ type: 'text', text }, ...content], isError: true };
  }
  if (statusCode >= 400) return { output: [{ type: 'text', text: `HTTP ${statusCode}` }, ...content], isError: true };
  return { output: body ? content : [{ type: 'text', text: `HTTP ${statusCode}, no content` }], isError: false };
};

export const createHttpTool = (definition: HttpTool, { outbound, secrets }: HttpServices): Tool => ({
  spec: { name: definition.name, description: definition.description, inputSchema: definition.inputSchema as JsonObject },
  replaySafe: false,
  readOnly: false,
  timeoutMs: definition.timeoutMs ?? defaultTimeoutMs,
  run: async (input, { signal }) => {
    const { headers: named, body: wanted } = definition.request;
    const resolved = await resolveValues(secrets, named, { others: wanted === undefined ? [] : secretRefsIn(wanted), place: 'body' });
    const { url, headers, body } = fill(definition, resolved, input);
    try {
      const { method } = definition.request;
      const response = await outbound.named.request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
      const { output, isError } = await answerOf(response, resolved.redaction);
      return { output: resolved.redaction.output(output), isError };
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(resolved.redaction.text(networkFault(error, new URL(url).host)));
    }
  },
});
