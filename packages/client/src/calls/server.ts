/** The server itself, for admins: what it is, how it is, and whether a model answers. */
import type { ServerInfo, TestModelAnswer } from '@turnkeeper/core/protocol/wire/server';
import type { Transport } from '../transport/transport.ts';
import { api } from './paths.ts';

export type ServerCalls = {
  readonly info: () => Promise<ServerInfo>;
  /** One small call to the provider. A model that does not answer is an answer, with `ok: false`. */
  readonly testModel: (model: string) => Promise<TestModelAnswer>;
};

/** The server gives a model 30 s. */
const testTimeoutMs = 40_000;

export const createServerCalls = ({ request }: Transport): ServerCalls => ({
  info: () => request('GET', `${api}/server`),
  testModel: (model) => request('POST', `${api}/models/test`, { body: { model }, timeoutMs: testTimeoutMs }),
});
