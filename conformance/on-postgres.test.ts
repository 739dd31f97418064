/** The same protocol on PostgreSQL, in a private server that the test starts. */

import { type PrivatePostgres, startPrivatePostgres } from '@turnkeeper/server/testing/private-postgres';
import { afterAll, beforeAll, describe } from 'vitest';
import { openTarget, type Target } from './client/target.ts';
import { foreignServer } from './server/foreign-server.ts';
import { type StartedServer, startServer } from './server/start-server.ts';
import { describeProtocol } from './suites/protocol.ts';

let target: Target;
let postgres: PrivatePostgres | undefined;
let server: StartedServer | undefined;

// A named server is tested once, by embedded.test.ts.
describe.runIf(foreignServer() === undefined)('on PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await startPrivatePostgres();
    server = await startServer(['--database', await postgres.freshDatabase()]);
    target = await openTarget(server.url, server.token);
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await postgres?.stop();
  });

  describeProtocol(() => target);
});
