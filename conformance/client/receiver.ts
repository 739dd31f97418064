/** A receiver of webhooks: a real server on this machine, which keeps what it got and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patienceMs } from './target.ts';

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly notice: { readonly [member: string]: unknown } };
export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** The status of its answers from now on. */
  readonly answers: (status: (received: Received) => number) => void;
  /** Waits until as many as that have come that fit. */
  readonly got: (fits: (received: Received) => boolean, count?: number) => Promise<readonly Received[]>;
  readonly close: () => Promise<void>;
};

export const openReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let status: (received: Received) => number = () => 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = { headers: request.headers, body, notice: JSON.parse(body) as Received['notice'] };
      received.push(one);
      response.writeHead(status(one), { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers: (next) => {
      status = next;
    },
    got: async (fits, count = 1) => {
      for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
        const found = received.filter(fits);
        if (found.length >= count) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`waited in vain; got ${JSON.stringify(received.map(({ notice }) => notice['type']))}`);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
