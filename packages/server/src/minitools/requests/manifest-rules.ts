/**
 * What a manifest must declare for a request to be looked at.
 *
 * MR1 Every name of the protocol has a rule here, `always` where nothing need be declared: one that is added and forgotten does not
 *     compile.
 * MR2 A refusal names the field that is missing.
 */
import { maySeeSecret } from '@turnkeeper/minitool/manifest';
import type { Manifest } from '@turnkeeper/minitool/manifest/schema';
import type { HostRequests } from '@turnkeeper/minitool/protocol';
import { MinitoolFailure } from '../host-api.ts';

type Rule<Params> = (manifest: Manifest, params: Params) => MinitoolFailure | undefined;

const denied = (field: string, what: string): MinitoolFailure => new MinitoolFailure('permission_denied', `${what}: the manifest lacks ${field}.`, { field });
const wrong = (message: string): MinitoolFailure => new MinitoolFailure('invalid_argument', message);

const always: Rule<unknown> = () => undefined;
const secret: Rule<{ readonly key: string }> = (manifest, { key }) =>
  maySeeSecret(manifest, key) ? undefined : denied('permissions.secrets', `The secret "${key}" is not declared`);
const sessions: Rule<unknown> = ({ permissions }) => (permissions.sessions ? undefined : denied('permissions.sessions', 'ctx.sessions may not be used'));

/** `respondToWait` may deny without it; which of them a response is, the use case knows. */
const sessionsCall: Rule<HostRequests['sessions.call'][0]> = (manifest, params) => sessions(manifest, params);

const tools: Rule<unknown> = ({ contributes }) => (contributes.tools ? undefined : denied('contributes.tools', 'No tools may be registered'));
const provided: Rule<{ readonly name: string }> = ({ provides }, { name }) =>
  provides.capabilities.includes(name) ? undefined : denied('provides.capabilities', `The capability "${name}" is not declared`);
const required: Rule<{ readonly name: string }> = ({ requires }, { name }) =>
  requires.capabilities.includes(name) ? undefined : denied('requires.capabilities', `The capability "${name}" is not declared`);
const webhook: Rule<{ readonly id: string }> = ({ contributes }, { id }) =>
  contributes.webhooks.some((hook) => hook.id === id) ? undefined : wrong(`"${id}" is not in contributes.webhooks.`);
const schedule: Rule<{ readonly id: string }> = ({ contributes }, { id }) => {
  if (contributes.schedules.length === 0) return denied('contributes.schedules', 'No schedules may be used');
  return contributes.schedules.some((each) => each.id === id) ? undefined : wrong(`"${id}" is not in contributes.schedules.`);
};

export const manifestRules: { readonly [Method in keyof HostRequests]: Rule<HostRequests[Method][0]> } = {
  'sessions.call': sessionsCall,
  'storage.get': always,
  'storage.set': always,
  'storage.delete': always,
  'storage.clear': always,
  'storage.keys': always,
  'secrets.get': secret,
  'secrets.set': secret,
  'secrets.delete': secret,
  'tools.register': tools,
  'tools.unregister': always,
  'discovery.register': tools,
  'discovery.unregister': always,
  'form.request': always,
  'app.info': always,
  'status.get': always,
  // Of its own sessions only, and those it may not have without the permission.
  subscribe: (manifest, { to }) => (to === 'events' ? sessions(manifest, undefined) : undefined),
  'consume.begin': sessions,
  'consume.end': sessions,
  'webhooks.begin': webhook,
  'schedules.begin': schedule,
  'capabilities.provide': provided,
  'capabilities.withdraw': provided,
  'capabilities.version': required,
  'capabilities.invoke': required,
  'ui.show': always,
};
