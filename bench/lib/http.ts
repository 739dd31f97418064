/** The lightest possible client: what it costs is taken from the server on the same machine. */
import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

export type Answer = { readonly status: number; readonly body: string };

export const call = (
  url: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: options.method ?? 'GET',
        headers: {
          ...options.headers,
          ...(options.body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(options.body) }),
        },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });

/** Opens a stream and hands over its raw bytes. Resolves when the head of the answer is there. */
export const openStream = (url: string, headers: Record<string, string>, onData: (piece: Buffer) => void): Promise<{ readonly close: () => void }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers }, (response: IncomingMessage) => {
      if (response.statusCode !== 200) reject(new Error(`stream: ${response.statusCode}`));
      response.on('data', onData);
      response.on('error', () => {});
      resolve({ close: () => sent.destroy() });
    });
    sent.on('error', reject);
    sent.end();
  });
