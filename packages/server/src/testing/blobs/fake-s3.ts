/**
 * S3-compatible storage in this process: objects of one bucket by path. It checks each signature (AWS Signature Version 4)
 * from what it received, by its own count, and the hash and the length of each body, as the real ones do.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeS3Keys = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string; readonly bucket: string };

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Why the request is refused, or undefined. */
const faultOf = (request: IncomingMessage, body: Buffer, keys: FakeS3Keys): string | undefined => {
  const header = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  if (!header) return 'no signature';
  const [, id, day = '', region = '', names = '', signature] = header;
  if (id !== keys.accessKeyId || region !== keys.region) return 'another key or region';
  const bodyHash = String(request.headers['x-amz-content-sha256']);
  if (bodyHash !== sha256(body)) return 'the body is not what was signed';
  if (request.method === 'PUT' && request.headers['content-length'] === undefined) return 'no length';
  for (const must of ['host', 'x-amz-content-sha256', 'x-amz-date']) if (!names.split(';').includes(must)) return `${must} is not signed`;
  const date = String(request.headers['x-amz-date']);
  if (!date.startsWith(day)) return 'another day';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, path, query, headers.join(''), names, bodyHash].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${keys.secretAccessKey}`, day), region), 's3'), 'aws4_request');
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'the signature does not match';
};

export const startFakeS3 = async (keys: FakeS3Keys) => {
  const objects = new Map<string, Buffer>();
  const refused: string[] = [];
  /** Statuses that the next requests are answered with. */
  const failing: number[] = [];
  let always: number | undefined;

  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const fault = faultOf(request, body, keys);
    if (fault) {
      refused.push(fault);
      response.writeHead(403).end(`<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId></Error>`);
      return;
    }
    const status = always ?? failing.shift();
    if (status !== undefined) {
      response.writeHead(status).end(`<Error>${keys.secretAccessKey}</Error>`);
      return;
    }
    const path = (request.url ?? '').slice(`/${keys.bucket}/`.length);
    const held = objects.get(path);
    switch (request.method) {
      case 'PUT':
        objects.set(path, body);
        response.writeHead(200).end();
        return;
      case 'DELETE':
        objects.delete(path);
        response.writeHead(204).end();
        return;
      default: {
        if (!held) {
          response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
          return;
        }
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
        const bytes = range ? held.subarray(Number(range[1]), Number(range[2]) + 1) : held;
        response.writeHead(range ? 206 : 200, { 'content-length': bytes.length }).end(bytes);
      }
    }
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => answer(request, response, Buffer.concat(parts)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refused,
    failNext: (...statuses: readonly number[]) => failing.push(...statuses),
    failAlways: (status: number) => {
      always = status;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
