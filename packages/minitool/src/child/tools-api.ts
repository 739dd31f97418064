/**
 * `ctx.tools`: what this process has registered, and how it is run.
 *
 * MY1 `execute` always comes to a result: what it throws is a result with `isError`, told to the model and to the log.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Disposable } from '../context/lifetime.ts';
import type { Logger } from '../context/logger.ts';
import type { ToolSearchContext, ToolSearchProvider, ToolSearchQuery } from '../context/tool-search.ts';
import type { ToolDefinition, ToolExecutionContext, Tools } from '../context/tools.ts';
import { invalidArgument, MinitoolError, messageOf } from '../failure.ts';
import type { Execution, ExecutionResult, RegisteredTool } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import type { Caller } from './caller.ts';
import { checkedResult, failedResult } from './execution.ts';
import { jsonValue } from './json-value.ts';
import type { Settling } from './settling.ts';

export type ToolParts = {
  readonly host: Pick<ToolPeer, 'ask'>;
  readonly settling: Settling;
  readonly caller: Caller;
  readonly logger: Logger;
  readonly contextOf: (execution: Execution, signal: AbortSignal) => ToolExecutionContext;
};

export type ToolHost = {
  readonly api: Tools;
  readonly execute: (execution: Execution, signal: AbortSignal) => Promise<ExecutionResult>;
  readonly search: (handle: number, query: JsonObject, context: JsonObject) => Promise<readonly JsonObject[]>;
};

const passedOn = ['risk', 'timeoutMs', 'defaultEnabled', 'exposure', 'progressMode', 'owner', 'callDisplay'] as const;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const checkDefinition = (definition: ToolDefinition): void => {
  if (typeof definition !== 'object' || definition === null) throw invalidArgument('ctx.tools.register wants a definition');
  if (!isText(definition.name) || !/^[A-Za-z0-9_-]{1,128}$/.test(definition.name))
    throw invalidArgument(`The name of a tool has lowercase letters, digits and "_", at most 128; "${String(definition.name)}" is none`);
  if (typeof definition.execute !== 'function') throw invalidArgument(`The tool "${definition.name}" has no function execute`);
};

const registration = (handle: number, definition: ToolDefinition): RegisteredTool => {
  const { name } = definition;
  const others = Object.fromEntries(passedOn.map((member) => [member, definition[member]]).filter(([, value]) => value !== undefined));
  const said = {
    ...others,
    name,
    title: isText(definition.title) ? definition.title : name,
    description: String(definition.description ?? ''),
    inputSchema: definition.inputSchema ?? { type: 'object' },
  };
  return { handle, ...(jsonValue(said, `The definition of the tool "${name}"`) as Omit<RegisteredTool, 'handle'>) };
};

export const createTools = ({ host, settling, caller, logger, contextOf }: ToolParts): ToolHost => {
  const definitions = new Map<number, ToolDefinition>();
  const providers = new Map<number, ToolSearchProvider>();
  let newest = 0;

  const register = (definition: ToolDefinition): Disposable => {
    checkDefinition(definition);
    const { name } = definition;
    if ([...definitions.values()].some((other) => other.name === name)) throw new MinitoolError('already_exists', `The tool "${name}" is registered already`);
    newest += 1;
    const handle = newest;
    const said = registration(handle, definition);
    definitions.set(handle, definition);
    settling.add(`The tool "${name}"`, host.ask('tools.register', said));
    return {
      dispose: () => {
        if (definitions.delete(handle)) settling.add(`The end of the tool "${name}"`, host.ask('tools.unregister', { handle }));
      },
    };
  };

  const registerDiscoveryProvider = (provider: ToolSearchProvider): Disposable => {
    if (!isText(provider?.id) || typeof provider.search !== 'function') throw invalidArgument('A provider of tools has an id and a function search');
    newest += 1;
    const handle = newest;
    providers.set(handle, provider);
    const { id, description } = provider;
    settling.add(`The provider "${id}"`, host.ask('discovery.register', { handle, id, ...(description === undefined ? {} : { description }) }));
    return {
      dispose: () => {
        if (providers.delete(handle)) settling.add(`The end of the provider "${id}"`, host.ask('discovery.unregister', { handle }));
      },
    };
  };

  return {
    api: { register, registerDiscoveryProvider, registerSearchProvider: registerDiscoveryProvider },
    execute: async (execution, signal) => {
      const definition = definitions.get(execution.handle);
      if (!definition) throw new MinitoolError('not_found', 'The tool is not registered any more');
      return caller.run(execution.callToken, async () => {
        try {
          return checkedResult(await definition.execute({ ...execution.input }, contextOf(execution, signal)));
        } catch (error) {
          logger.error(`The tool "${definition.name}" failed:`, error);
          return failedResult(messageOf(error));
        }
      });
    },
    search: async (handle, query, context) => {
      const provider = providers.get(handle);
      if (!provider) throw new MinitoolError('not_found', 'The provider is not registered any more');
      const found = await provider.search(query as ToolSearchQuery, context as ToolSearchContext);
      return jsonValue(found, `What the provider "${provider.id}" found`) as readonly JsonObject[];
    },
  };
};
