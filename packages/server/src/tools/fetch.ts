/**
 * Built-in tool: reads a page of the web.
 *
 * H5 The address is a model's: each request, also one that a redirect asks for, goes through the filter for public
 *    addresses, carries no credential, and is a GET.
 */
import type { Dispatcher } from 'undici';
import { networkFault } from '../outbound/network-fault.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Tool, ToolAnswer } from '../ports/tool.ts';
import { htmlText } from './html-text.ts';
import { leftOut, readBody, textOfBody } from './read-body.ts';

const mostRedirects = 5;

const addressOf = (text: unknown, base?: URL): URL => {
  if (typeof text !== 'string' || !URL.canParse(text, base))
    throw new Error(`${JSON.stringify(text)} is not an address: give a whole http:// or https:// URL.`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`Only http:// and https:// are read, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new Error('An address with a user name or password is not read.');
  return url;
};

const get = async (url: URL, outbound: Outbound, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
  const headers = { accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.1', 'accept-encoding': 'identity', 'user-agent': 'turnkeeper' };
  try {
    return await outbound.open.request(url, { method: 'GET', headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(networkFault(error, url.host));
  }
};

const readPage = async (response: Dispatcher.ResponseData, url: URL, signal: AbortSignal): Promise<ToolAnswer> => {
  const body = await readBody(response).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Error(networkFault(error, url.host));
  });
  const isError = response.statusCode >= 400;
  const status = isError ? [{ type: 'text', text: `HTTP ${response.statusCode}` } as const] : [];
  if (body.bytes.length === 0) return { output: [...status, { type: 'text', text: 'The page is empty.' }], isError };
  const text = textOfBody(body);
  if (text === undefined) return { output: [...status, leftOut(body)], isError: true };
  const isPage = body.mediaType === 'text/html' || body.mediaType === 'application/xhtml+xml';
  return { output: [...status, { type: 'text', text: isPage ? htmlText(text) : text }], isError };
};

const locationOf = ({ statusCode, headers }: Dispatcher.ResponseData): string | undefined => {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string' ? location : undefined;
};

export const createFetchTool = (outbound: Outbound): Tool => ({
  spec: {
    name: 'fetch',
    description: 'Reads a public web page or file by its URL (GET). Web pages come as text without their markup.',
    inputSchema: {
      type: 'object',
      properties: { url: { type: 'string', description: 'http:// or https://' } },
      required: ['url'],
      additionalProperties: false,
    },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 30_000,
  run: async (input, { signal }) => {
    let url = addressOf(input['url']);
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      const response = await get(url, outbound, signal);
      const location = locationOf(response);
      if (location === undefined) return readPage(response, url, signal);
      await response.body.dump();
      url = addressOf(location, url);
    }
    throw new Error(`The address was redirected more than ${mostRedirects} times.`);
  },
});
