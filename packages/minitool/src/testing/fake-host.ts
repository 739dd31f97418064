/** A server that answers what a test tells it to, at the other end of an in-memory channel. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../child/entry.ts';
import { serveMinitool } from '../child/serve.ts';
import type { MiniToolContext } from '../context.ts';
import type { Beginning, HostRequests } from '../protocol.ts';
import { protocolVersion } from '../protocol.ts';
import { createChannelPair } from '../rpc/channel.ts';
import { createHostPeer, createToolPeer, type HostPeer } from '../rpc/peer.ts';

export type Asked = { readonly method: string; readonly params: unknown };
export type Answers = { readonly [M in keyof HostRequests]?: (params: HostRequests[M][0], signal: AbortSignal) => unknown };

const methods: readonly (keyof HostRequests)[] = [
  'sessions.call',
  'storage.get',
  'storage.set',
  'storage.delete',
  'storage.clear',
  'storage.keys',
  'secrets.get',
  'secrets.set',
  'secrets.delete',
  'tools.register',
  'tools.unregister',
  'discovery.register',
  'discovery.unregister',
  'form.request',
  'app.info',
  'status.get',
  'subscribe',
  'consume.begin',
  'consume.end',
  'webhooks.begin',
  'schedules.begin',
  'capabilities.provide',
  'capabilities.withdraw',
  'capabilities.version',
  'capabilities.invoke',
  'ui.show',
];

export const beginningOf = (folder: string, changes: Partial<Beginning> = {}): Beginning => ({
  protocolVersion,
  minitool: { id: 'bot', displayName: 'Bot', version: '1.2.3', extensionPath: folder, scope: 'global' },
  main: join(folder, 'index.js'),
  storagePath: folder,
  outboxPath: folder,
  locale: 'en-US',
  messages: {},
  settings: {},
  workspace: {},
  session: { id: 'none', model: 'demo' },
  contributions: {},
  declared: { provides: [], requires: [] },
  capabilities: [],
  ...changes,
});

export type FakeHost = {
  readonly peer: HostPeer;
  readonly asked: Asked[];
  readonly logged: string[];
  readonly told: Asked[];
  readonly folder: string;
  /** What `activate` was given. */
  readonly ctx: MiniToolContext;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export type FakeOptions = { readonly answers?: Answers; readonly beginning?: Partial<Beginning>; readonly entry?: Partial<Entry> };

export const startFakeHost = async ({ answers = {}, beginning = {}, entry = {} }: FakeOptions = {}): Promise<FakeHost> => {
  const folder = await mkdtemp(join(tmpdir(), 'minitool-'));
  const [hostEnd, toolEnd, end] = createChannelPair();
  const peer = createHostPeer(hostEnd);
  const asked: Asked[] = [];
  const logged: string[] = [];
  const told: Asked[] = [];
  for (const method of methods) {
    peer.answer(method, async (params, signal) => {
      asked.push({ method, params });
      const answer = answers[method] as ((params: unknown, signal: AbortSignal) => unknown) | undefined;
      return ((await answer?.(params, signal)) ?? null) as never;
    });
  }
  peer.hear('log', ({ level, message }) => logged.push(`${level} ${message}`));
  peer.hear('progress', (params) => told.push({ method: 'progress', params }));
  peer.listen();
  let ctx: MiniToolContext | undefined;
  const activate = async (given: MiniToolContext): Promise<void> => {
    ctx = given;
    await entry.activate?.(given);
  };
  serveMinitool({ peer: createToolPeer(toolEnd), load: async () => ({ ...entry, activate }) });
  const disposeAll = async (): Promise<void> => {
    end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await peer.ask('activate', beginningOf(folder, beginning));
  } catch (error) {
    await disposeAll();
    throw error;
  }
  if (!ctx) throw new Error('activate was not called');
  return { peer, asked, logged, told, folder, ctx, [Symbol.asyncDispose]: disposeAll };
};

/** Until something holds that comes of messages on their way, or of files that are written. */
export const eventually = async (holds: () => boolean): Promise<void> => {
  for (const began = performance.now(); !holds() && performance.now() - began < 30_000; ) await new Promise((resolve) => setImmediate(resolve));
  if (!holds()) throw new Error('it never came to hold');
};
