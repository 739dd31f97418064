/** All that the server can run: built-in tools, HTTP tools, tools of MCP servers. */
import { homedir } from 'node:os';
import { allowNothing } from '../outbound/allow-list.ts';
import { createOutbound, type OutboundOptions } from '../outbound/outbound.ts';
import type { Clock } from '../ports/clock.ts';
import { type MinitoolTools, noMinitoolTools } from '../ports/minitool-tools.ts';
import { noSecrets, type Secrets } from '../ports/secrets.ts';
import type { Tool, Tools } from '../ports/tool.ts';
import { createToolListsInMemory, type ToolLists } from '../ports/tool-lists.ts';
import type { Workspace } from '../ports/workspace.ts';
import { createAskFormTool } from './ask-form.ts';
import { createAskUserTool } from './ask-user.ts';
import { createCalculatorTool } from './calculator.ts';
import { definitionFaults } from './definition-faults.ts';
import { createDelegateTool } from './delegate.ts';
import { createFetchTool } from './fetch.ts';
import { createFileTools } from './file-tools.ts';
import { createHttpTool } from './http/http-tool.ts';
import { McpConnections } from './mcp/connections.ts';
import { createMcpTools } from './mcp/mcp-tools.ts';
import { createRequestApprovalTool } from './request-approval.ts';
import { createSchemaChecker } from './schema-checker.ts';
import { createSearchToolsTool } from './search-tools.ts';
import { createTimeTool } from './time.ts';
import { createWaitForSignalTool } from './wait-for-signal.ts';

export type ToolsOptions = {
  readonly clock: Clock;
  /** What an installation adds to the built-in tools. */
  readonly more?: readonly Tool[] | undefined;
  /** What running mini-tools have registered; nothing unless given. */
  readonly minitools?: MinitoolTools | undefined;
  /** The files that tools work on; without it there are no tools for them. */
  readonly workspace?: Workspace | undefined;
  readonly secrets?: Secrets | undefined;
  readonly lists?: ToolLists | undefined;
  readonly outbound?: OutboundOptions | undefined;
  /** What programs find in their environment: where programs and files are, never this server's own. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** MCP connections that may be open at once. */
  readonly mostConnections?: number | undefined;
};

/** Those that wait for people, or for the world outside. */
const createAskingTools = (): readonly Tool[] => [
  createAskUserTool(),
  createDelegateTool(),
  createAskFormTool(),
  createRequestApprovalTool(),
  createWaitForSignalTool(),
];

/** Where nothing is said: what most systems have. */
const plainEnvironment = (): Readonly<Record<string, string>> => ({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir(), LANG: 'C.UTF-8' });

export const createTools = ({ clock, more = [], secrets = noSecrets, lists = createToolListsInMemory(), ...options }: ToolsOptions): Tools => {
  const outbound = createOutbound(options.outbound ?? { allow: allowNothing });
  const builtins = [
    createTimeTool(clock),
    createCalculatorTool(),
    createFetchTool(outbound),
    ...createAskingTools(),
    createSearchToolsTool(),
    ...(options.workspace ? createFileTools(options.workspace) : []),
    ...more,
  ];
  const byName = new Map(builtins.map((tool) => [tool.spec.name, tool] as const));
  const builtinNames = [...byName.keys()];
  const checker = createSchemaChecker(
    clock,
    builtins.map(({ spec }) => spec.inputSchema),
  );
  const environment = options.environment ?? plainEnvironment();
  const connections = new McpConnections({
    clock,
    secrets,
    outbound,
    environment,
    ...(options.mostConnections === undefined ? {} : { most: options.mostConnections }),
  });
  return {
    builtin: (name) => byName.get(name),
    builtinNames: () => builtinNames,
    minitools: options.minitools ?? noMinitoolTools,
    http: (definition) => createHttpTool(definition, { outbound, secrets }),
    mcp: (agent, asking) => createMcpTools(agent, asking, { lists, connections }),
    inputFaults: checker.inputFaults,
    schemaFaults: checker.schemaFaults,
    faults: (definition) => definitionFaults(definition, checker),
    runBegan: (sessionId) => connections.runBegan(sessionId),
    runEnded: (sessionId) => connections.runEnded(sessionId),
    close: async () => {
      await connections.close();
      await outbound.close();
      await checker.close();
    },
  };
};
