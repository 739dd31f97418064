/**
 * The tools of the MCP servers that tests start: what servers do well and badly. What happens outside of a conversation is
 * written to files, so that tests see it whatever became of the process.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { type CallToolResult, type JSONObject, Server, type ServerContext } from '@modelcontextprotocol/server';

const object = (properties: JSONObject = {}, required: string[] = []) => ({ type: 'object' as const, properties, required });

const offered = [
  { name: 'echo', description: 'Says it again.', inputSchema: object({ text: { type: 'string' } }, ['text']), annotations: { readOnlyHint: true } },
  { name: 'count', description: 'Counts its calls in this process.', inputSchema: object() },
  {
    name: 'effect',
    description: 'Writes a line to a file.',
    inputSchema: object({ file: { type: 'string' }, line: { type: 'string' }, until: { type: 'string' } }),
  },
  { name: 'erase', title: 'Erase\nall', description: 'Says of itself that it destroys.', inputSchema: object(), annotations: { destructiveHint: true } },
  { name: 'again', description: 'May be repeated.', inputSchema: object(), annotations: { idempotentHint: true } },
  { name: 'environment', description: 'Its environment.', inputSchema: object() },
  { name: 'leak', description: 'Tells a secret in every way.', inputSchema: object({ how: { type: 'string' } }) },
  { name: 'wait', description: 'Goes on until it is cancelled.', inputSchema: object({ file: { type: 'string' } }) },
  { name: 'family', description: 'Starts a program of its own and gives its process id.', inputSchema: object() },
  { name: 'die', description: 'Ends the server.', inputSchema: object() },
  { name: 'blocks', description: 'Every kind of content.', inputSchema: object() },
  { name: 'data', description: 'Structured content without a text.', inputSchema: object() },
  { name: 'huge', description: 'A long text.', inputSchema: object() },
  { name: 'fail', description: 'An error result.', inputSchema: object() },
];

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Input = { readonly [name: string]: string | undefined };
type Call = (input: Input, ctx: ServerContext, token: string) => Promise<CallToolResult> | CallToolResult;

const createCalls = (): Readonly<Record<string, Call>> => {
  let count = 0;
  return {
    echo: ({ text: said = '' }) => text(said),
    count: () => {
      count += 1;
      return text(String(count));
    },
    effect: async ({ file = '', line = 'effect', until }) => {
      appendFileSync(file, `${line}\n`);
      while (until !== undefined && !existsSync(until)) await later(5);
      return text('done');
    },
    erase: () => text('erased'),
    again: () => text('again'),
    environment: () => text(JSON.stringify(process.env)),
    leak: ({ how }, _ctx, token) => {
      if (how !== undefined) process.stderr.write(`the token is ${token}\n`);
      if (how === 'die') process.exit(3);
      if (how === 'throw') throw new Error(`bad token ${token}`);
      return { content: [{ type: 'text', text: `${token} ${encodeURIComponent(token)} ${JSON.stringify({ token })}` }], structuredContent: { token } };
    },
    wait: async ({ file }, { mcpReq }) => {
      const token = mcpReq._meta?.progressToken;
      if (token !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2, message: 'half way' } });
      if (file !== undefined) appendFileSync(file, 'began\n');
      while (!mcpReq.signal.aborted) await later(5);
      if (file !== undefined) appendFileSync(file, 'cancelled\n');
      return text('too late');
    },
    family: () => text(String(spawn('sleep', ['600'], { stdio: 'ignore' }).pid)),
    die: () => process.exit(3),
    blocks: () => ({
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
        { type: 'image', data: pixel, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'three' } },
        { type: 'resource_link', uri: 'https://example.com/', name: 'four' },
        { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'AAAA', mimeType: 'application/zip' } },
      ],
    }),
    data: () => ({ content: [], structuredContent: { a: [1, 2] } }),
    huge: () => text('😀'.repeat(150_000)),
    fail: () => ({ content: [{ type: 'text', text: 'it did not work' }], isError: true }),
  };
};

/** `token`: what the server was given as a secret. `except`: tools that it does not offer. `pageSize`: of its list. */
export const createMcpTestServer = ({ token = '', except = [] as readonly string[], pageSize = 5 }): Server => {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  const calls = createCalls();
  const tools = offered.filter(({ name }) => !except.includes(name));
  server.setRequestHandler('tools/list', ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const more = from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {};
    return { tools: tools.slice(from, from + pageSize), ...more };
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const call = tools.some(({ name }) => name === params.name) ? calls[params.name] : undefined;
    if (!call) return { content: [{ type: 'text', text: `there is no tool ${params.name}` }], isError: true };
    return call((params.arguments ?? {}) as Input, ctx, token);
  });
  return server;
};
