/** A fake server and the command line before it, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeServer } from '@turnkeeper/client/testing/fake-server';
import { runCli } from '../run-cli.ts';
import { createFakeIo } from './fake-io.ts';

type Call = { readonly method: string; readonly path: string; readonly body: unknown; readonly headers: { readonly [name: string]: unknown } };

export const createCliRig = async () => {
  const server = createFakeServer();
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-cli-'));
  const calls: Call[] = [];
  await server.start();
  const io = (env: Record<string, string> = {}, tty = false) =>
    createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token, TURNKEEPER_CONFIG_DIR: folder, ...env }, { tty, cwd: folder });
  return {
    server,
    folder,
    calls,
    /** Answers a route, and writes down what it was asked. */
    route: (method: string, path: RegExp, body: unknown | (() => unknown), status = 200): void =>
      server.on(method, path, (request, sent) => {
        calls.push({ method, path: request.url ?? '', body: sent, headers: request.headers });
        return { status, body: typeof body === 'function' ? (body as () => unknown)() : body };
      }),
    run: async (args: readonly string[], how: { readonly env?: Record<string, string>; readonly piped?: string } = {}) => {
      const fake = io(how.env);
      fake.stdin.end(how.piped ?? '');
      const code = await runCli(args, fake.io);
      return { code, out: fake.out.text, err: fake.err.text };
    },
    /** At a terminal: what is typed goes into `stdin`. */
    start: (args: readonly string[], env: Record<string, string> = {}) => {
      const fake = io({ TERM: 'xterm', NO_COLOR: '1', ...env }, true);
      return { ...fake, end: runCli(args, fake.io) };
    },
    stop: async (): Promise<void> => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
};
export type CliRig = Awaited<ReturnType<typeof createCliRig>>;
