/**
 * A provider on 127.0.0.1 that speaks a real wire format and does as it is told.
 *
 * It records every request and how its connection ended, checks each request as strictly as the provider would,
 * and refuses a faulty one with a 400. Replies are taken in order; the last one is given again and again.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ending, FakeReply } from './fake-answer.ts';
import { type Headers, hasLoneSurrogate, type WireFormat } from './wire-format.ts';

export type RecordedRequest = {
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly faults: readonly string[];
  /** Resolves when the connection of this request is done with: after the whole answer, or cut by the other side. */
  readonly closed: Promise<'answered' | 'cut'>;
};

export type FakeProvider = {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  readonly reply: (...replies: readonly FakeReply[]) => void;
  /** All faults of all requests. */
  readonly faults: () => readonly string[];
  readonly close: () => Promise<void>;
};

export type FakeProviderOptions = { /** Writes the body in pieces of so many bytes. Default: whole. */ readonly bytesPerWrite?: number };

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
};

const write = async (response: ServerResponse, body: string, bytesPerWrite: number | undefined, ending: Ending | undefined): Promise<void> => {
  const bytes = Buffer.from(body).subarray(0, ending?.after);
  const size = bytesPerWrite ?? Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    if (!response.write(bytes.subarray(at, at + size))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  if (ending === undefined || ending.by === 'end') response.end();
  // What was written must have left before the socket breaks, else the reader sees nothing of it.
  else if (ending.by === 'reset') setTimeout(() => response.destroy(), 20);
};

const send = async (response: ServerResponse, reply: FakeReply, format: WireFormat, bytesPerWrite: number | undefined): Promise<void> => {
  switch (reply.kind) {
    case 'answer':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return write(response, format.encode(reply.answer), bytesPerWrite, reply.then);
    case 'raw':
      response.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' });
      return write(response, reply.body, bytesPerWrite, reply.then);
    case 'error':
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(format.errorBody(reply));
      return;
    case 'hang':
      return;
  }
};

export const startFakeProvider = async (format: WireFormat, { bytesPerWrite }: FakeProviderOptions = {}): Promise<FakeProvider> => {
  const requests: RecordedRequest[] = [];
  let replies: FakeReply[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const closed = new Promise<'answered' | 'cut'>((resolve) => {
      response.on('close', () => resolve(response.writableFinished ? 'answered' : 'cut'));
    });
    const path = request.url ?? '';
    const body = await readBody(request);
    const faults = [
      ...(body === undefined ? ['the body is not JSON'] : format.faults(path, request.headers, body)),
      ...(hasLoneSurrogate(body) ? ['a lone surrogate in the body'] : []),
    ];
    requests.push({ path, headers: request.headers, body, faults, closed });
    const reply: FakeReply | undefined = replies.length > 1 ? replies.shift() : replies[0];
    const refusal: FakeReply = { kind: 'error', status: 400, message: faults.join('; ') };
    if (reply === undefined) response.destroy();
    else await send(response, faults.length > 0 ? refusal : reply, format, bytesPerWrite);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: (...next) => {
      replies = [...next];
    },
    faults: () => requests.flatMap((request) => request.faults),
    close: async () => {
      const done = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await done;
    },
  };
};
