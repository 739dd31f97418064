/**
 * One open connection to an MCP server: its list of tools, and calls of them.
 *
 * R3 Whatever the server says, in results, errors or on its standard error, is shown without the values of the secrets
 *    that it was given [L4].
 */
import { type CallToolResult, Client, type Progress, ProtocolError, type Tool as ServerTool } from '@modelcontextprotocol/client';
import { cutText } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { McpServer } from '@turnkeeper/core/protocol/wire/agents';
import { networkFault } from '../../outbound/network-fault.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Redaction } from '../secrets/redaction.ts';
import { resolveValues, SecretMissing } from '../secrets/resolve-values.ts';
import { McpFault } from './mcp-fault.ts';
import { createRemoteTransport, type RemoteTransport } from './remote-transport.ts';
import { plainText } from './result-blocks.ts';
import { StdioTransport } from './stdio-transport.ts';

export type McpServices = {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  /** What programs find in their environment beside what their definition gives. */
  readonly environment: Readonly<Record<string, string>>;
};

export type CallOptions = { readonly signal: AbortSignal; readonly progress: (text: string) => void };

const openMs = 30_000;
const goodbyeMs = 2_000;
/** The bounds of time are the callers', by their signals. */
const noTimeout = 2_147_483_647;
const mostTools = 256;
const mostPages = 64;
const messageCharacters = 500;
const stderrCharacters = 4_096;

type Opened = {
  readonly client: Client;
  /** Where the server is a program. */
  readonly program: StdioTransport | undefined;
  readonly remote: RemoteTransport | undefined;
  readonly redaction: Redaction;
};

export class McpConnection {
  readonly #server: McpServer;
  readonly #opened: Opened;
  readonly #clock: Clock;
  /** Resolves when it is closed, by whoever. */
  readonly closed: Promise<void>;

  private constructor(server: McpServer, opened: Opened, clock: Clock) {
    this.#clock = clock;
    this.#server = server;
    this.#opened = opened;
    this.closed = new Promise((resolve) => {
      opened.client.onclose = () => resolve();
    });
  }

  /** Throws an `McpFault`. */
  static async open(server: McpServer, { clock, secrets, outbound, environment }: McpServices): Promise<McpConnection> {
    const client = new Client({ name: 'turnkeeper', version: '1' }, { capabilities: {} });
    // Out-of-band errors end in failed calls; a listener keeps them from being thrown.
    client.onerror = () => {};
    const { values, redaction } = await resolveValues(secrets, 'command' in server ? server.env : server.headers).catch((error: unknown) => {
      const isTellable = error instanceof SecretMissing || error instanceof TurnkeeperError;
      throw new McpFault(isTellable ? error.message : 'Its secrets could not be read.');
    });
    const channel =
      'command' in server
        ? new StdioTransport(
            { command: server.command, args: server.args ?? [], env: { ...environment, ...values }, kept: stderrCharacters + 2 * redaction.longest },
            clock,
          )
        : createRemoteTransport(server.url, values, await outbound.named.dispatcher());
    const isProgram = channel instanceof StdioTransport;
    const transport = isProgram ? channel : channel.transport;
    const opened = { client, redaction, program: isProgram ? channel : undefined, remote: isProgram ? undefined : channel };
    try {
      await client.connect(transport, { timeout: openMs });
    } catch (error) {
      await transport.close().catch(() => {});
      throw faultOf(error, server, opened);
    }
    return new McpConnection(server, opened, clock);
  }

  get redaction(): Redaction {
    return this.#opened.redaction;
  }

  /** A program of its own, whose work stops for sure only with it. */
  get isProgram(): boolean {
    return this.#opened.program !== undefined;
  }

  /** The tools that the server offers now, the first `mostTools`. */
  async list(): Promise<readonly ServerTool[]> {
    const tools: ServerTool[] = [];
    try {
      let cursor: string | undefined;
      for (let page = 0; page < mostPages && tools.length < mostTools; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const answer = await this.#opened.client.request({ method: 'tools/list', params }, { timeout: openMs });
        tools.push(...answer.tools);
        cursor = answer.nextCursor;
        if (cursor === undefined) break;
      }
    } catch (error) {
      throw faultOf(error, this.#server, this.#opened);
    }
    return tools.slice(0, mostTools);
  }

  /** Rejects with the signal's reason, or with an `McpFault`. The result is as the server gave it. */
  async call(name: string, input: JsonObject, { signal, progress }: CallOptions): Promise<CallToolResult> {
    const pieces = this.redaction.pieces();
    const onprogress = (told: Progress): void => {
      const amount = told.total === undefined ? `${told.progress}` : `${told.progress} of ${told.total}`;
      const text = told.message === undefined ? amount : pieces(plainText(told.message));
      if (text !== '') progress(cutText(text, messageCharacters));
    };
    try {
      // Not `callTool`: that would hold results to schemas of the server's with patterns that may backtrack for ever.
      return await this.#opened.client.request({ method: 'tools/call', params: { name, arguments: { ...input } } }, { signal, onprogress, timeout: noTimeout });
    } catch (error) {
      // The SDK's own code is the same for an abort and a time-out: only the signal tells.
      signal.throwIfAborted();
      throw faultOf(error, this.#server, this.#opened);
    }
  }

  async close(): Promise<void> {
    const { client, remote } = this.#opened;
    // A server may keep what belongs to a connection for as long as nobody says that it has ended.
    if (remote) await within(this.#clock, goodbyeMs, remote.transport.terminateSession());
    await client.close().catch(() => {});
  }
}

/** What a server says, as it may be shown: without secrets first, then cut [Y3]. */
const shown = (said: string, redaction: Redaction): string => cutText(redaction.text(plainText(said)), messageCharacters);

/** Waits for `work`, `ms` at most, whatever becomes of it. */
const within = async (clock: Clock, ms: number, work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  await Promise.race([work.catch(() => {}), sleep(clock, ms, over.signal).catch(() => {})]);
  over.abort();
};

const statusOf = (error: unknown): number | undefined => {
  const status = (error as { readonly status?: unknown }).status;
  return typeof status === 'number' ? status : undefined;
};

const spawnFault = (error: unknown, command: string): string | undefined => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!syscall?.startsWith('spawn')) return undefined;
  return code === 'ENOENT' ? `The program ${command} was not found.` : `The program ${command} could not be started (${code}).`;
};

/** In words that may be shown: the server's own where it answered, without secrets. */
const faultOf = (error: unknown, server: McpServer, { redaction, program, remote }: Opened): McpFault => {
  const said = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtocolError) return new McpFault(shown(said, redaction));
  if ('command' in server) {
    const stderr = program
      ? plainText(redaction.part(program.stderr, { start: program.stderrIsCut }))
          .trim()
          .slice(-stderrCharacters)
      : '';
    const why = spawnFault(error, server.command) ?? `It ended, or did not answer (${said}).`;
    return new McpFault(`${shown(why, redaction)}${stderr === '' ? '' : `\nIts last words:\n${stderr}`}`, {
      stale: true,
    });
  }
  const passed = remote?.fault();
  if (passed !== undefined) return new McpFault(passed, { stale: true });
  const status = statusOf(error);
  if (status !== undefined) return new McpFault(`${new URL(server.url).host} answered with HTTP ${status}.`, { stale: true, unheard: status === 404 });
  return new McpFault(networkFault(error, new URL(server.url).host), { stale: true });
};
