/** Answers what a mini-tool asks of the service beside its sessions. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { MiniToolFormSpec } from '../context/forms.ts';
import { invalidArgument, MinitoolError } from '../failure.ts';
import type { Manifest } from '../manifest/schema.ts';
import { maySeeSecret } from '../manifest.ts';
import type { HostPeer } from '../rpc/peer.ts';
import { shownOptions } from '../shown-options.ts';
import type { KitClock } from './clock.ts';
import type { KitConsumers } from './consumers.ts';
import type { KitSessions } from './sessions.ts';
import type { KitTools } from './tools.ts';

/** Most bytes of one stored value, and of all. */
const mostValueBytes = 1024 * 1024;
const mostStoredBytes = 50 * 1024 * 1024;

export type KitUi = (kind: 'toast' | 'confirm' | 'modal', options: JsonObject) => JsonObject | Promise<JsonObject>;
export type KitCapabilities = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>;

export type HostParts = {
  readonly manifest: Manifest;
  readonly clock: KitClock;
  readonly values: Map<string, string>;
  readonly secrets: Map<string, string>;
  readonly sessions: KitSessions;
  readonly tools: KitTools;
  readonly consumers: KitConsumers;
  readonly subscribed: Set<string>;
  readonly ui: KitUi;
  readonly capabilities: KitCapabilities;
};

const denied = (field: string): MinitoolError => new MinitoolError('permission_denied', `The manifest lacks ${field}`, { field });

const answerKeeping = (peer: HostPeer, { manifest, values, secrets }: HostParts): void => {
  const seen = (key: string): string => {
    if (!maySeeSecret(manifest, key)) throw denied('permissions.secrets');
    return key;
  };
  peer.answer('storage.get', async ({ key }) => {
    const text = values.get(key);
    return text === undefined ? {} : { value: JSON.parse(text) as unknown };
  });
  peer.answer('storage.set', async ({ key, value }) => {
    const text = JSON.stringify(value);
    const others = [...values].filter(([other]) => other !== key).reduce((sum, [, each]) => sum + Buffer.byteLength(each), 0);
    if (Buffer.byteLength(text) > mostValueBytes || others + Buffer.byteLength(text) > mostStoredBytes)
      throw new MinitoolError('payload_too_large', 'A value has at most 1 MB, all values together 50 MB');
    values.set(key, text);
    return null;
  });
  peer.answer('storage.delete', async ({ key }) => {
    values.delete(key);
    return null;
  });
  peer.answer('storage.clear', async () => {
    values.clear();
    return null;
  });
  peer.answer('storage.keys', async () => [...values.keys()].toSorted());
  peer.answer('secrets.get', async ({ key }) => {
    const value = secrets.get(seen(key));
    return value === undefined ? {} : { value };
  });
  peer.answer('secrets.set', async ({ key, value }) => {
    secrets.set(seen(key), value);
    return null;
  });
  peer.answer('secrets.delete', async ({ key }) => {
    secrets.delete(seen(key));
    return null;
  });
};

const answerTools = (peer: HostPeer, { manifest, tools }: HostParts): void => {
  peer.answer('tools.register', async (tool) => {
    if (!manifest.contributes.tools) throw denied('contributes.tools');
    tools.add(tool);
    return null;
  });
  peer.answer('tools.unregister', async ({ handle }) => {
    tools.remove(handle);
    return null;
  });
  peer.answer('discovery.register', async () => null);
  peer.answer('discovery.unregister', async () => null);
  peer.answer('form.request', async ({ callToken, spec }) => tools.form(callToken, spec as MiniToolFormSpec));
  peer.hear('progress', ({ callToken, ...update }) => tools.progress(callToken, update));
};

const answerEvents = (peer: HostPeer, { manifest, consumers, subscribed }: HostParts): void => {
  const needSessions = (): void => {
    if (!manifest.permissions.sessions) throw denied('permissions.sessions');
  };
  peer.answer('subscribe', async ({ to }) => {
    if (to === 'events') needSessions();
    subscribed.add(to);
    return null;
  });
  peer.answer('consume.begin', async ({ name }) => {
    needSessions();
    consumers.begin(name);
    return null;
  });
  peer.answer('consume.end', async ({ name }) => {
    consumers.end(name);
    return null;
  });
  peer.answer('webhooks.begin', async ({ id }) => {
    if (!manifest.contributes.webhooks.some((hook) => hook.id === id)) throw invalidArgument(`"${id}" is not in contributes.webhooks`);
    return null;
  });
  peer.answer('schedules.begin', async ({ id }) => {
    if (manifest.contributes.schedules.length === 0) throw denied('contributes.schedules');
    if (!manifest.contributes.schedules.some((schedule) => schedule.id === id)) throw invalidArgument(`"${id}" is not in contributes.schedules`);
    return null;
  });
};

const answerOthers = (peer: HostPeer, { clock, ui, capabilities, sessions }: HostParts): void => {
  peer.answer('app.info', async () => ({
    name: 'Turnkeeper',
    version: '0.0.0',
    buildNumber: 0,
    versionDisplay: '0.0.0',
    locale: 'en-US',
    platform: process.platform,
    userAgent: 'kit',
    assistantName: 'Turnkeeper',
  }));
  peer.answer('status.get', async () => {
    const running = sessions.all().flatMap(({ turns }) => turns.filter(({ status }) => status === 'running')).length;
    return { status: running > 0 ? 'running' : 'idle', runningCount: running, waitingCount: 0, unreadCount: 0, updatedAt: clock.iso() };
  });
  peer.answer('capabilities.provide', async () => null);
  peer.answer('capabilities.withdraw', async () => null);
  peer.answer('capabilities.version', async () => ({}));
  peer.answer('capabilities.invoke', async ({ name, method, args }) => {
    const implementation = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
    const run = implementation && Object.hasOwn(implementation, method) ? implementation[method] : undefined;
    if (!run) throw new MinitoolError('not_found', `Nobody provides ${name}.${method}`);
    return (await run(...(args as never[]))) ?? null;
  });
  peer.answer('ui.show', async ({ kind, options }) => {
    shownOptions(kind, options);
    return ui(kind, options);
  });
};

export const answerMinitool = (peer: HostPeer, parts: HostParts): void => {
  peer.answer('sessions.call', async ({ method, args, callToken }) => parts.sessions.call(method, args, callToken));
  answerKeeping(peer, parts);
  answerTools(peer, parts);
  answerEvents(peer, parts);
  answerOthers(peer, parts);
};
