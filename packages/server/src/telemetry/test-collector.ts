/** A collector of traces: takes what is posted to it as OTLP in JSON, and keeps the spans. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { readonly stringValue?: string; readonly intValue?: string | number; readonly doubleValue?: number; readonly boolValue?: boolean };
type Attribute = { readonly key: string; readonly value: Value };
export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly service: unknown;
};
type Posted = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { readonly attributes: readonly Attribute[] })[] }[];
  }[];
};

const plain = ({ stringValue, intValue, doubleValue, boolValue }: Value): unknown =>
  stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue));
const record = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));

export const startCollector = async (status = 200) => {
  const spans: CollectedSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  let bodies = '';
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      headers.push(request.headers);
      bodies += body;
      for (const { resource, scopeSpans } of (JSON.parse(body) as Posted).resourceSpans) {
        const service = record(resource.attributes)['service.name'];
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, attributes: record(span.attributes), service });
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans,
    headers,
    /** All that was ever posted, as it came. */
    posted: () => bodies,
    named: (beginning: string) => spans.filter(({ name }) => name.startsWith(beginning)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
