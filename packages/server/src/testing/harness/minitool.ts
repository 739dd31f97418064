/** A mini-tool in an engine under test, without a process: its calls of `ctx.sessions` as its host hands them on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { readManifest } from '@turnkeeper/minitool/manifest';
import type { Locale } from '@turnkeeper/minitool/messages';
import type { SessionMethod } from '@turnkeeper/minitool/protocol';
import type { FrozenConfig } from '../../app/frozen-config.ts';
import { Follower } from '../../minitools/follower/follower.ts';
import type { AskingMinitool, CallInProgress } from '../../minitools/host-api.ts';
import { AttachmentRoom } from '../../minitools/sessions/attachment-room.ts';
import { createSessionCalls } from '../../minitools/sessions/session-calls.ts';
import type { MinitoolRow } from '../../ports/minitools.ts';
import { auditRow } from '../store-contract/samples.ts';
import { fresh } from './client.ts';
import type { World } from './world.ts';

export type TestMinitool = {
  readonly id: string;
  readonly owner: string;
  readonly asking: AskingMinitool;
  readonly row: MinitoolRow;
  /** What it said in its own log. */
  readonly said: readonly string[];
  /** A call of `ctx.sessions`, as untyped as it comes. */
  readonly call: (method: SessionMethod, ...args: readonly unknown[]) => Promise<never>;
  /** The same while one of its tools runs. */
  readonly during: (call: CallInProgress, method: SessionMethod, ...args: readonly unknown[]) => Promise<never>;
  /** What the call is refused with. */
  readonly refusal: (
    method: SessionMethod,
    ...args: readonly unknown[]
  ) => Promise<{ readonly code: string; readonly message: string; readonly details?: JsonObject }>;
  /** Every event that the host was told of, in order. */
  readonly events: readonly JsonObject[];
  readonly follower: Follower;
  readonly room: AttachmentRoom;
  /** Puts bytes into the outbox; an attachment that names them. */
  readonly attachment: (bytes: string | Buffer, more?: { readonly name?: string; readonly mimeType?: string }) => JsonObject;
  readonly config: (sessionId: string) => Promise<FrozenConfig>;
  /** The engine was opened anew: its follower goes on there. */
  readonly reopened: () => Promise<void>;
  readonly end: () => Promise<void>;
};

const baseManifest = {
  manifestVersion: 1,
  name: 'Bot',
  contributes: {
    sessionContainers: [{ id: 'inbox', agentProfile: 'writer' }, { id: 'workers' }],
    agentProfiles: [{ id: 'writer', prompt: { default: 'Write briefly.', 'zh-CN': '简短' } }],
  },
  permissions: { sessions: true, sessionInteractions: true },
};

export type MinitoolSketch = {
  readonly manifest?: object;
  readonly users?: readonly string[];
  readonly containerAgents?: Readonly<Record<string, string>>;
  /** Where its package lies. */
  readonly folder?: string;
  /** The language of the installation. */
  readonly locale?: () => Locale;
};

/** Installs it, and follows its sessions. */
export const addMinitool = async (world: World, sketch: MinitoolSketch = {}): Promise<TestMinitool> => {
  const { manifest: more = {}, users = ['ann'], containerAgents = {}, folder = '/bot', locale = () => 'en-US' } = sketch;
  const id = fresh('bot');
  const text = { ...baseManifest, id, ...more };
  const read = readManifest({ finchJson: JSON.stringify(text) });
  if (!read.ok) throw new Error(`a faulty manifest: ${JSON.stringify(read.faults)}`);
  const row: MinitoolRow = {
    ...{ id, version: '1.0.0', source: 'folder:/bot', folder, manifest: text as unknown as JsonObject, status: 'enabled', reason: null, settings: {} },
    ...{ consent: null, users, containerAgents, installedAt: 0, updatedAt: 0 },
  };
  await world.stores.minitools.install(row, auditRow());
  const outboxPath = mkdtempSync(join(tmpdir(), 'turnkeeper-outbox-'));
  const said: string[] = [];
  const events: JsonObject[] = [];
  const asking: AskingMinitool = {
    ...{ id, name: 'Bot', row, manifest: read.manifest, storagePath: outboxPath, outboxPath, signal: new AbortController().signal },
    log: (_level, message) => said.push(message),
  };
  const followNow = (): Follower => {
    const follower = new Follower({
      app: world.engine.app,
      report: (error) => {
        if (world.life.alive()) throw error;
      },
    });
    follower.onEvent((minitoolId, event) => {
      if (minitoolId === id) events.push(event);
    });
    follower.start();
    return follower;
  };
  const room = new AttachmentRoom();
  let follower = followNow();
  const calls = async (method: SessionMethod, args: readonly unknown[], call?: CallInProgress): Promise<never> => {
    const { app } = world.engine;
    const handler = createSessionCalls({ app, locale, catchUp: (sid) => follower.catchUp(sid), room });
    // As it comes from another process.
    const sent = JSON.parse(JSON.stringify(args)) as readonly unknown[];
    return (await handler({ ...asking, row: (await app.minitools.minitool(id)) ?? row }, { method, args: sent }, call)) as never;
  };
  let files = 0;
  return {
    ...{ id, owner: `minitool:${id}`, asking, row, said, events, room },
    get follower() {
      return follower;
    },
    call: (method, ...args) => calls(method, args),
    during: (call, method, ...args) => calls(method, args, call),
    refusal: (method, ...args) =>
      calls(method, args).then(
        (answer) => {
          throw new Error(`${method} was not refused: ${JSON.stringify(answer)}`);
        },
        (error) => error,
      ),
    attachment: (bytes, { name = 'note.txt', mimeType = 'text/plain' } = {}) => {
      files += 1;
      const file = `file-${files}`;
      writeFileSync(join(outboxPath, file), bytes);
      return { file, name, mimeType, size: Buffer.byteLength(bytes) };
    },
    config: async (sessionId) => {
      const found = await world.engine.app.sessions.find(sessionId as SessionId);
      if (!found) throw new Error('there is no such session');
      return found.session.config;
    },
    reopened: async () => {
      follower = followNow();
    },
    end: async () => {
      rmSync(outboxPath, { recursive: true, force: true });
      if (world.life.alive()) await follower.stop();
    },
  };
};

/** A run of one of its tools, in the turn of a session. */
export const callIn = ({ id }: TestMinitool, sessionId: string, turnId: string): CallInProgress => ({
  token: fresh('token'),
  minitoolId: id,
  sessionId: sessionId as SessionId,
  turnId: turnId as TurnId,
  callId: 'call1',
  signal: new AbortController().signal,
  ask: async () => ({ submitted: false, reason: 'cancelled' }) as never,
});
