/** Mini-tools: installing and running them, for admins; their containers, for those who use them. */

import type { AnswerShowRequest, ShowNews } from '@turnkeeper/core/protocol/wire/minitool-shows';
import type {
  ContainerSessionRequest,
  InstallMinitoolRequest,
  MinitoolAnswer,
  MinitoolArrival,
  MinitoolContainer,
  MinitoolDefaults,
  MinitoolLogEntry,
  MinitoolPermissions,
  MinitoolResource,
  PatchMinitoolRequest,
  PutMinitoolDefaults,
} from '@turnkeeper/core/protocol/wire/minitools';
import type { CreatedSession } from '@turnkeeper/core/protocol/wire/sessions';
import { readFrames } from '../stream/read-frames.ts';
import { streamShows } from '../stream/stream-shows.ts';
import type { Bytes, Transport } from '../transport/transport.ts';
import { api, type Keyed, type Page, part, sessionPath } from './paths.ts';

export type MinitoolCalls = {
  readonly list: () => Promise<Page<MinitoolResource>>;
  /** Installs it, disabled, or brings another version of one that is there. */
  readonly install: (minitool: InstallMinitoolRequest) => Promise<MinitoolAnswer>;
  /** The same with a packed package (`.tgz`). */
  readonly upload: (bytes: Bytes, name: string) => Promise<MinitoolAnswer>;
  readonly get: (id: string) => Promise<MinitoolAnswer>;
  readonly patch: (id: string, changes: PatchMinitoolRequest) => Promise<MinitoolAnswer>;
  /** `consent`: its `permissions` as somebody was shown them. */
  readonly enable: (id: string, consent: MinitoolPermissions) => Promise<MinitoolAnswer>;
  readonly disable: (id: string) => Promise<MinitoolAnswer>;
  readonly delete: (id: string) => Promise<void>;
  /** The newest entries, the oldest of them first. */
  readonly logs: (id: string, lines?: number) => Promise<{ readonly items: readonly MinitoolLogEntry[] }>;
  /** The newest entries and those that come, until the signal; it ends when the server ends it. */
  readonly followLogs: (id: string, options: { readonly lines?: number; readonly signal: AbortSignal }) => AsyncGenerator<MinitoolLogEntry, void, undefined>;
  /** What came in by its webhooks and how that was answered, the newest first: of the node that is asked, since its start. For admins. */
  readonly arrivals: (id: string) => Promise<Page<MinitoolArrival>>;
  readonly putSecret: (id: string, name: string, value: string) => Promise<void>;
  readonly deleteSecret: (id: string, name: string) => Promise<void>;
  readonly containers: (id: string, options?: { readonly locale?: string }) => Promise<Page<MinitoolContainer>>;
  /** A session in a container of mode `assistant`; the same key gives the same one. */
  readonly openSession: (id: string, containerId: string, session?: ContainerSessionRequest, options?: Keyed) => Promise<CreatedSession>;
  /** What holds for all mini-tools: the agent of containers that have none of their own, and the language. */
  readonly defaults: () => Promise<MinitoolDefaults>;
  /** What is named: an agent's key or id, a language; null takes it back. */
  readonly putDefaults: (defaults: PutMinitoolDefaults) => Promise<MinitoolDefaults>;
  /** Somebody has looked at the session: its unread mark goes. */
  readonly seen: (sessionId: string) => Promise<void>;
  /** Toasts and dialogs that mini-tools show: to whoever follows them, who is there for them. */
  readonly ui: MinitoolUiCalls;
};

export type MinitoolUiCalls = {
  /** What is shown now, and what comes and goes, over as many connections as it takes: after each cut all that is shown is told anew. */
  readonly stream: (options: { readonly signal: AbortSignal; readonly silenceMs?: number }) => AsyncGenerator<ShowNews, void, undefined>;
  /** The first answer counts: later ones are refused with `action_resolved`. */
  readonly answer: (showId: string, answer: AnswerShowRequest) => Promise<void>;
};

const minitoolsPath = `${api}/minitools`;
const defaultsPath = `${api}/minitool-defaults`;
const showsPath = `${api}/minitool-shows`;
const minitoolPath = (id: string): string => `${minitoolsPath}/${part(id)}`;
const secretPath = (id: string, name: string): string => `${minitoolPath(id)}/secrets/${part(name)}`;

/** npm may have to fetch much; and one that is enabled is waited for until it runs. */
const installTimeoutMs = 6 * 60_000;
const enableTimeoutMs = 60_000;

const createUiCalls = (transport: Transport): MinitoolUiCalls => ({
  stream: (options) => streamShows(transport, `${showsPath}/stream`, options),
  answer: async (showId, body) => {
    await transport.request('POST', `${showsPath}/${part(showId)}/answer`, { body });
  },
});

export const createMinitoolCalls = (transport: Transport): MinitoolCalls => ({
  ui: createUiCalls(transport),
  ...createPlainCalls(transport),
});

const createPlainCalls = ({ request, open }: Transport): Omit<MinitoolCalls, 'ui'> => ({
  list: () => request('GET', minitoolsPath),
  install: (body) => request('POST', minitoolsPath, { body, timeoutMs: installTimeoutMs }),
  upload: (bytes, name) => {
    const headers = { 'content-type': 'application/gzip', 'x-file-name': encodeURIComponent(name.toWellFormed()) };
    return request('POST', `${minitoolsPath}/upload`, { bytes, headers, timeoutMs: installTimeoutMs });
  },
  get: (id) => request('GET', minitoolPath(id)),
  patch: (id, body) => request('PATCH', minitoolPath(id), { body, timeoutMs: enableTimeoutMs }),
  enable: (id, consent) => request('POST', `${minitoolPath(id)}/enable`, { body: { consent }, timeoutMs: enableTimeoutMs }),
  disable: (id) => request('POST', `${minitoolPath(id)}/disable`, { timeoutMs: enableTimeoutMs }),
  delete: (id) => request('DELETE', minitoolPath(id), { timeoutMs: enableTimeoutMs }),
  logs: (id, lines) => request('GET', `${minitoolPath(id)}/logs`, lines === undefined ? {} : { query: { lines } }),
  followLogs: (id, { lines, signal }) =>
    readFrames<MinitoolLogEntry>((inner) => open(`${minitoolPath(id)}/logs`, { query: { follow: true, lines }, signal: inner }), signal),
  arrivals: (id) => request('GET', `${minitoolPath(id)}/arrivals`),
  putSecret: async (id, name, value) => {
    await request('PUT', secretPath(id, name), { body: { value } });
  },
  deleteSecret: (id, name) => request('DELETE', secretPath(id, name)),
  containers: (id, { locale } = {}) => request('GET', `${minitoolPath(id)}/containers`, locale === undefined ? {} : { headers: { 'accept-language': locale } }),
  openSession: (id, containerId, body = {}, options) => request('POST', `${minitoolPath(id)}/containers/${part(containerId)}/sessions`, { body, ...options }),
  defaults: () => request('GET', defaultsPath),
  putDefaults: (body) => request('PUT', defaultsPath, { body }),
  seen: async (sessionId) => {
    await request('POST', `${sessionPath(sessionId)}/seen`);
  },
});
