/** `ctx.capabilities`: functions of other mini-tools, called over the server. */
import type { Capabilities } from '../context/capabilities.ts';
import type { Logger } from '../context/logger.ts';
import { MinitoolError } from '../failure.ts';
import type { Beginning } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import type { Settling } from './settling.ts';

type Functions = Readonly<Record<string, unknown>>;

export type CapabilityParts = {
  readonly host: Pick<ToolPeer, 'ask'>;
  readonly declared: Beginning['declared'];
  readonly provided: () => ReadonlySet<string>;
  readonly settling: Settling;
  readonly logger: Logger;
};

export type CapabilityHost = {
  readonly api: Capabilities;
  /** Runs a function that this mini-tool provides. */
  readonly call: (name: string, method: string, args: readonly unknown[]) => Promise<unknown>;
};

const undeclared = (name: string, field: string): MinitoolError =>
  new MinitoolError('permission_denied', `The manifest must name the capability "${name}" in ${field}`, { field });

const ownFunction = (implementation: Functions | undefined, method: string): ((...args: readonly unknown[]) => unknown) | undefined => {
  const found = implementation && Object.hasOwn(implementation, method) ? implementation[method] : undefined;
  return typeof found === 'function' ? (found.bind(implementation) as (...args: readonly unknown[]) => unknown) : undefined;
};

/** Every member is a function that asks the server. Not `then`: awaiting the proxy itself must not call the other mini-tool. */
const proxyOf = (invoke: (method: string, args: readonly unknown[]) => Promise<unknown>): object =>
  new Proxy(Object.freeze(Object.create(null) as object), {
    get: (_, method) => (typeof method === 'string' && method !== 'then' ? (...args: readonly unknown[]) => invoke(method, args) : undefined),
  });

export const createCapabilities = ({ host, declared, provided, settling }: CapabilityParts): CapabilityHost => {
  const implementations = new Map<string, Functions>();
  const provide: Capabilities['provide'] = (name, implementation, options) => {
    if (!declared.provides.includes(name)) throw undeclared(name, 'provides.capabilities');
    if (implementations.has(name)) throw new MinitoolError('already_exists', `The capability "${name}" is provided already`);
    implementations.set(name, implementation);
    const methods = Object.keys(implementation).filter((method) => typeof implementation[method] === 'function');
    settling.add(
      `the capability "${name}"`,
      host.ask('capabilities.provide', { name, methods, ...(options?.version === undefined ? {} : { version: options.version }) }),
    );
    return {
      dispose: () => {
        if (implementations.get(name) !== implementation) return;
        implementations.delete(name);
        settling.add(`the end of the capability "${name}"`, host.ask('capabilities.withdraw', { name }));
      },
    };
  };
  return {
    api: {
      provide,
      get: (name) => {
        if (!declared.requires.includes(name)) throw undeclared(name, 'requires.capabilities');
        return proxyOf((method, args) => host.ask('capabilities.invoke', { name, method, args })) as never;
      },
      has: (name) => provided().has(name),
      getVersion: async (name) => (await host.ask('capabilities.version', { name })).version,
    },
    call: async (name, method, args) => {
      const run = ownFunction(implementations.get(name), method);
      if (!run) throw new MinitoolError('not_found', `The capability "${name}" has no function "${method}"`);
      return (await run(...args)) ?? null;
    },
  };
};
