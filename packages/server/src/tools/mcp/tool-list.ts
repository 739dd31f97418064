/**
 * The tools that an agent's MCP servers offer, as they were found for its version.
 *
 * R8 A server is asked once for a version of an agent, by the first session that needs the list; what was kept stands
 *    [L5]: what a model is told does not change beneath a session, and a tool's hints do not either.
 */
import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { cutText, firstCodePoints } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { McpServer } from '@turnkeeper/core/protocol/wire/agents';
import { wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { type ToolOwner, ToolsUnavailable } from '../../ports/tool.ts';
import type { ToolLists } from '../../ports/tool-lists.ts';
import type { Redaction } from '../secrets/redaction.ts';
import type { McpConnections } from './connections.ts';
import { McpFault } from './mcp-fault.ts';

/** A tool as its server described it, with the hints that count. */
export type ListedTool = {
  readonly name: string;
  /** What it is called for people. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly destructive: boolean;
};

export type ServerTools = { readonly server: McpServer; readonly tools: readonly ListedTool[] };

const descriptionCharacters = 8_000;
const titleCharacters = 200;
const listBytes = 1024 * 1024;

/** A title that is no good is none; its tool is offered all the same. */
const titled = (title: string | undefined, redaction: Redaction): Pick<ListedTool, 'title'> => {
  const shown = redaction.text(title?.toWellFormed().replace(/\p{Cc}/gu, ' ') ?? '').trim();
  return shown === '' ? {} : { title: firstCodePoints(shown, titleCharacters) };
};

const listed = ({ name, title, description, inputSchema, annotations }: ServerTool, redaction: Redaction): ListedTool => ({
  name,
  ...titled(title ?? annotations?.title, redaction),
  description: cutText(redaction.text(description ?? title ?? annotations?.title ?? name), descriptionCharacters),
  inputSchema: inputSchema as JsonObject,
  readOnly: annotations?.readOnlyHint === true,
  idempotent: annotations?.idempotentHint === true,
  // MCP takes a missing hint for "destructive", and most servers give none: only what is said counts.
  destructive: annotations?.destructiveHint === true && annotations.readOnlyHint !== true,
});

const listKey = ({ id, version }: ToolOwner, server: McpServer): string => `mcp:${id}:${version}:${server.name}`;

const unavailable = ({ name }: McpServer, error: unknown): ToolsUnavailable =>
  new ToolsUnavailable(
    `The tools of the server "${name}" could not be listed. ${error instanceof McpFault ? error.message : 'Something went wrong on our side.'}`,
  );

export type Asking = { readonly sessionId: SessionId; readonly signal: AbortSignal };

const find = async (server: McpServer, { sessionId, signal }: Asking, connections: McpConnections): Promise<string> => {
  try {
    return await connections.use(sessionId, server, signal, async (connection) => {
      const tools = (await connection.list()).map((tool) => listed(tool, connection.redaction)).filter((tool) => wireFaults(tool).length === 0);
      const text = connection.redaction.text(JSON.stringify(tools));
      if (text.length > listBytes) throw new McpFault('Its list of tools is larger than 1 MB.');
      return text;
    });
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(server, error);
  }
};

const toolsOf = async (agent: ToolOwner, server: McpServer, asking: Asking, from: { readonly lists: ToolLists; readonly connections: McpConnections }) => {
  const key = listKey(agent, server);
  const kept = (await from.lists.get(key)) ?? (await from.lists.keep(key, await find(server, asking, from.connections)));
  return { server, tools: JSON.parse(kept) as readonly ListedTool[] };
};

/** Of all servers of the agent, in the order of its definition. Throws `ToolsUnavailable`. */
export const listTools = (
  agent: ToolOwner,
  asking: Asking,
  from: { readonly lists: ToolLists; readonly connections: McpConnections },
): Promise<readonly ServerTools[]> => Promise.all((agent.definition.mcpServers ?? []).map((server) => toolsOf(agent, server, asking, from)));
