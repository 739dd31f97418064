/** The protocol on the embedded store, or on the server that TURNKEEPER_CONFORMANCE_URL names. */
import { afterAll, beforeAll } from 'vitest';
import { openTarget, type Target } from './client/target.ts';
import { foreignServer } from './server/foreign-server.ts';
import { type StartedServer, startServer } from './server/start-server.ts';
import { describeProtocol } from './suites/protocol.ts';

let target: Target;
let server: StartedServer | undefined;

beforeAll(async () => {
  const foreign = foreignServer();
  if (!foreign) server = await startServer();
  const { url, token } = foreign ?? (server as StartedServer);
  target = await openTarget(url, token);
});
afterAll(() => server?.stop());

describeProtocol(() => target);
