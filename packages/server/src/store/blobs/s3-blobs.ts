/**
 * Bytes in S3-compatible storage: one object each, `<prefix><session>/<blob>`, addressed by path.
 *
 * Each object is sent whole, with its length and the hash that its signature covers: what arrives broken is refused by the
 * other side (FB1). Requests are signed by aws4fetch and sent by undici, which keeps the length of a stream that is known;
 * what the network or the other side does not do at once is tried again a few times.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request } from 'undici';
import { type Blobs, type Bytes, checkedName } from '../../ports/blobs.ts';
import type { S3Config } from './blobs-config.ts';
import { openIncoming, throughFile } from './incoming.ts';

type Sent = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => Bytes;
};
type Received = Awaited<ReturnType<typeof request>>;

const emptyHash = createHash('sha256').digest('hex');
const tries = 4;
const firstWaitMs = 100;
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
};

/** Says what the other side said by its status alone: its words may quote the key. */
const fault = (sent: Sent, why: string, cause?: unknown): TurnkeeperError =>
  new TurnkeeperError('storage_unavailable', `The storage for files did not take ${sent.method}: ${why}.`, { reason: 'files' }, { cause });

const createSend = ({ endpoint, bucket, prefix, ...keys }: S3Config, agent: Agent) => {
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/${prefix.split('/').map(encodeURIComponent).join('/')}`;
  const attempt = async (sent: Sent, url: string): Promise<Received> => {
    const headers = { 'x-amz-content-sha256': emptyHash, ...sent.headers };
    const signer = new AwsV4Signer({ ...keys, service: 's3', method: sent.method, url, headers });
    const signed = await signer.sign();
    return request(signed.url, {
      method: sent.method,
      headers: Object.fromEntries(signed.headers),
      dispatcher: agent,
      ...(sent.body ? { body: sent.body() as AsyncIterable<Buffer> as never } : {}),
    });
  };
  return async (sent: Sent, expected: readonly number[]): Promise<Received> => {
    const url = base + checkedName(sent.name);
    for (let made = 1; ; made += 1) {
      const answer = await attempt(sent, url).catch((error: unknown) => {
        if (made >= tries) throw fault(sent, 'it cannot be reached', error);
      });
      if (answer && expected.includes(answer.statusCode)) return answer;
      await answer?.body.dump().catch(() => {});
      if (answer && (made >= tries || !passing.has(answer.statusCode))) throw fault(sent, `status ${answer.statusCode}`);
      await wait(firstWaitMs * 2 ** (made - 1));
    }
  };
};

async function* bodyOf(answer: Received, sent: Sent): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const part of answer.body) yield part as Buffer;
  } catch (error) {
    throw fault(sent, 'it broke off', error);
  } finally {
    answer.body.destroy();
  }
}

export type S3Blobs = Blobs & { readonly close: () => Promise<void> };

/** `scratchFolder`: where bytes are until they are whole. */
export const createS3Blobs = ({ scratchFolder, ...config }: S3Config & { readonly scratchFolder: string }): S3Blobs => {
  openIncoming(scratchFolder);
  const agent = new Agent({ connections: 32, headersTimeout: 60_000, bodyTimeout: 60_000 });
  const send = createSend(config, agent);
  return {
    shared: true,
    put: (name, bytes) =>
      throughFile(scratchFolder, bytes, async (file, size) => {
        const headers = { 'x-amz-content-sha256': await hashOf(file), 'content-length': String(size), 'content-type': 'application/octet-stream' };
        const answer = await send({ method: 'PUT', name, headers, body: () => createReadStream(file) }, [200, 201, 204]);
        await answer.body.dump();
      }),
    get: async (name, range) => {
      const sent: Sent = { method: 'GET', name, ...(range ? { headers: { range: `bytes=${range.start}-${range.end}` } } : {}) };
      const answer = await send(sent, range ? [206, 404] : [200, 404]);
      if (answer.statusCode !== 404) return bodyOf(answer, sent);
      await answer.body.dump();
      return undefined;
    },
    remove: async (name) => {
      const answer = await send({ method: 'DELETE', name }, [200, 204, 404]);
      await answer.body.dump();
    },
    close: () => agent.close(),
  };
};
