/** A request that says how much of its body is on its way: fetch does not tell. */
import type { Fetch } from './transport.ts';

const answerOf = (request: XMLHttpRequest): Response => {
  const headers = new Headers();
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const { status, statusText } = request;
  return new Response(status === 204 ? null : request.responseText, { status, statusText, headers });
};

/** `fetch` where there is no XMLHttpRequest (Node). */
export const fetchWithProgress = (fetch: Fetch, onSent: (part: number) => void): Fetch => {
  if (typeof XMLHttpRequest !== 'function') return fetch;
  return (url, { method = 'GET', headers = {}, body = null, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onSent(loaded / total);
      };
      request.onload = () => resolve(answerOf(request));
      request.onerror = () => reject(new TypeError('The request failed.'));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      if (signal?.aborted) reject(signal.reason);
      else request.send(body as XMLHttpRequestBodyInit | null);
    });
};
