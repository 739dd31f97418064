/**
 * The tools of an agent's MCP servers, ready to be called.
 *
 * R9 What the definition says of a tool comes before what its server says of it, and what it says of a tool before what it
 *    says of the server.
 */
import { type McpServer, namedTools } from '@turnkeeper/core/protocol/wire/agents';
import type { McpTool, Tool, ToolAnswer, ToolOwner, ToolRun, ToolTerms } from '../../ports/tool.ts';
import type { ToolLists } from '../../ports/tool-lists.ts';
import type { McpConnections } from './connections.ts';
import { McpFault } from './mcp-fault.ts';
import { resultBlocks } from './result-blocks.ts';
import { type Asking, type ListedTool, listTools } from './tool-list.ts';
import { createToolNames } from './tool-names.ts';

const defaultTimeoutMs = 60_000;
/** Progress beyond it is not shown: each is a fact of the log. */
const mostProgress = 1_000;

type Place = { readonly server: McpServer; readonly tool: string; readonly connections: McpConnections };

const callOnce = (input: Parameters<Tool['run']>[0], { sessionId, signal, progress }: ToolRun, { server, tool, connections }: Place): Promise<ToolAnswer> =>
  connections.use(sessionId, server, signal, async (connection) => {
    let told = 0;
    const tell = (text: string): void => {
      told += 1;
      if (told <= mostProgress) progress([{ type: 'text', text: `${text}\n` }]);
    };
    const result = await connection.call(tool, input, { signal, progress: tell });
    return { output: connection.redaction.output(resultBlocks(result)), isError: result.isError === true };
  });

const call = async (input: Parameters<Tool['run']>[0], run: ToolRun, place: Place): Promise<ToolAnswer> => {
  try {
    return await callOnce(input, run, place).catch((error: unknown) => {
      // It had forgotten the connection and so did not take the call.
      if (error instanceof McpFault && error.unheard && !run.signal.aborted) return callOnce(input, run, place);
      throw error;
    });
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof McpFault)) throw error;
    throw new Error(`The tool server "${place.server.name}" failed. ${error.message}`);
  }
};

const termsOf = (server: McpServer, tool: string): ToolTerms => {
  const { permission, approver, expiresSeconds, timeoutMs } = server;
  const own = server.tools && Object.hasOwn(server.tools, tool) ? server.tools[tool] : undefined;
  return { permission, approver, expiresSeconds, timeoutMs, ...own };
};

const toolOf = (listed: ListedTool, name: string, terms: ToolTerms, place: Place): Tool => {
  const readOnly = terms.readOnly ?? listed.readOnly;
  return {
    spec: { name, description: listed.description, inputSchema: listed.inputSchema },
    readOnly,
    replaySafe: readOnly || (terms.idempotent ?? listed.idempotent),
    destructive: terms.destructive ?? listed.destructive,
    ...(listed.title === undefined ? {} : { title: listed.title }),
    timeoutMs: terms.timeoutMs ?? defaultTimeoutMs,
    run: (input, run) => call(input, run, place),
  };
};

export const createMcpTools = async (
  agent: ToolOwner,
  asking: Asking,
  from: { readonly lists: ToolLists; readonly connections: McpConnections },
): Promise<readonly McpTool[]> => {
  const nameOf = createToolNames(namedTools(agent.definition.tools).map(({ name }) => name));
  const servers = await listTools(agent, asking, from);
  return servers.flatMap(({ server, tools }) =>
    tools.map((listed): McpTool => {
      const terms = termsOf(server, listed.name);
      return { terms, tool: toolOf(listed, nameOf(server.name, listed.name), terms, { server, tool: listed.name, connections: from.connections }) };
    }),
  );
};
