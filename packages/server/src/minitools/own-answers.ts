/**
 * The requests that the host of the processes answers itself.
 *
 * OQ1 Of a process one schema at a time waits for the checker, which all share: who registers hundreds of slow ones delays another by
 *     one of them.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { HostRequests } from '@turnkeeper/minitool/protocol';
import { appInfo } from './api-level.ts';
import type { Locale } from './beginning.ts';
import type { Capabilities } from './capabilities.ts';
import { type AskingMinitool, type HostApi, MinitoolFailure } from './host-api.ts';
import type { MinitoolProcess } from './process/minitool-process.ts';
import type { RegisteredTools } from './registered-tools.ts';
import type { AllAnswers } from './requests/dispatch.ts';

type UiRequest = HostRequests['ui.show'][0];

/** Shows people something of a mini-tool and gives their answer; undefined where nobody is there. */
export type UiListener = (minitool: AskingMinitool, request: UiRequest) => Promise<JsonObject | undefined>;

export type OwnParts = {
  readonly tools: RegisteredTools;
  readonly capabilities: Capabilities;
  readonly version: string;
  readonly locale: () => Locale;
  readonly status: (minitoolId: string) => Promise<JsonObject>;
  /** Why a schema cannot be used for a tool; none = it can. */
  readonly schemaFaults: (schema: JsonObject) => Promise<readonly string[]>;
  readonly ui: () => UiListener | undefined;
};

const dismissed: Readonly<Record<UiRequest['kind'], JsonObject>> = {
  toast: { action: 'dismissed' },
  confirm: { confirmed: false },
  modal: { action: 'dismissed' },
};

/** One after the other, each when the one before has come to its end. */
const createInTurn = (): (<Result>(ask: () => Promise<Result>) => Promise<Result>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (ask) => {
    const next = last.then(ask);
    last = next.catch(() => {});
    return next;
  };
};

/** Of one process. */
export const ownAnswers = (
  { tools, capabilities, version, locale, status, schemaFaults, ui }: OwnParts,
  process: MinitoolProcess,
  subscribed: Set<HostRequests['subscribe'][0]['to']>,
  inTurn = createInTurn(),
): Omit<AllAnswers, keyof HostApi> => ({
  'tools.register': async ({ id }, tool) => {
    const [fault] = await inTurn(() => schemaFaults(tool.inputSchema));
    if (fault !== undefined) throw new MinitoolFailure('invalid_argument', `inputSchema: ${fault}`);
    tools.register(id, process, tool);
    return null;
  },
  'tools.unregister': async (_, { handle }) => {
    tools.unregister(process, handle);
    return null;
  },
  'discovery.register': async ({ id: minitoolId }, { handle, id }) => {
    tools.registerProvider({ process, minitoolId, handle, id });
    return null;
  },
  'discovery.unregister': async (_, { handle }) => {
    tools.unregisterProvider(process, handle);
    return null;
  },
  'app.info': async () => appInfo(version, locale()),
  'status.get': ({ id }) => status(id),
  subscribe: async (_, { to }) => {
    subscribed.add(to);
    return null;
  },
  'capabilities.provide': async ({ id }, { name, methods, version: provided }) => {
    capabilities.provide(name, { process, minitoolId: id, methods: new Set(methods), version: provided });
    return null;
  },
  'capabilities.withdraw': async (_, { name }) => {
    capabilities.withdraw(name, process);
    return null;
  },
  'capabilities.version': async (_, { name }) => {
    const present = capabilities.versionOf(name);
    return present === undefined ? {} : { version: present };
  },
  'capabilities.invoke': ({ signal }, { name, method, args }) => capabilities.invoke(name, method, args, signal),
  'ui.show': async (minitool, request) => (await ui()?.(minitool, request)) ?? dismissed[request.kind],
});
