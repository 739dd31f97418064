/** What a mini-tool uses and its manifest does not say. */

import type { Manifest } from '../manifest/schema.ts';
import { maySeeSecret } from '../manifest.ts';
import type { Finding, FindingCode } from './finding.ts';
import { importsOf } from './imports.ts';
import { lineAt, type Source } from './source.ts';

type Use = { readonly at: number; readonly name: string };

/** Uses in code; `name` is the first group, if there is one. */
const usesOf = (text: string, pattern: RegExp): readonly Use[] => [...text.matchAll(pattern)].map(({ index, 1: name = '' }) => ({ at: index, name }));

/** Calls with a text as their first argument: `secrets.get('API_KEY')`. */
const named = (source: Source, call: string): readonly Use[] =>
  usesOf(source.code, new RegExp(`\\b${call}\\s*(?:<[^<>()]*>)?\\(\\s*['"]([^'"\\n]+)['"]`, 'g')).filter(
    ({ at }) => source.bare[at] === source.code[at] && source.bare[at] !== ' ',
  );

const sessionCalls = 'create|get|list|send|waitForTurn|onDidReceiveEvent|listEvents|listWaits|waitForWait|consume|cancelTurn|setPermissionMode|respondToWait';

type Say = (code: FindingCode, level: Finding['level'], use: Use, what: string, why: string) => Finding;

const sayIn =
  ({ path, text }: Source): Say =>
  (code, level, { at }, what, why) => ({ code, level, file: path, line: lineAt(text, at), what, why });

const firstOf = (uses: readonly Use[]): readonly Use[] => uses.slice(0, 1);

const permissionFindings = (source: Source, { permissions }: Manifest, say: Say): readonly Finding[] => {
  const { bare } = source;
  const missing = (uses: readonly Use[], field: string, what: string): readonly Finding[] =>
    firstOf(uses).map((use) =>
      say('permission_missing', 'error', use, `${what}, and permissions.${field} is not set`, 'Every such call is refused with permission_denied.'),
    );
  const modules = (pattern: RegExp): readonly Use[] =>
    importsOf(source)
      .filter(({ module, isType }) => !isType && pattern.test(module))
      .map(({ at, module }) => ({ at, name: module }));
  const network = [
    ...usesOf(bare, /(?<![.\w$])fetch\s*\(/g),
    ...usesOf(bare, /\bnew\s+WebSocket\b/g),
    ...modules(/^(?:node:)?(?:https?|http2|net|tls|dgram)$|^(?:axios|undici|ws|got|node-fetch)$/),
  ];
  return [
    ...(permissions.sessions ? [] : missing(usesOf(bare, new RegExp(`\\bsessions\\s*\\.\\s*(?:${sessionCalls})\\b`, 'g')), 'sessions', 'ctx.sessions is used')),
    ...(permissions.sessionInteractions ? [] : missing(usesOf(bare, /\brespondToWait\s*\(/g), 'sessionInteractions', 'respondToWait is used')),
    ...(permissions.oauth.length > 0
      ? []
      : missing(usesOf(bare, /\boauth\s*\.\s*(?:connect|request|authorize|initiateAuthorization)\b/g), 'oauth', 'ctx.oauth is used')),
    ...(permissions.network ? [] : missing(network, 'network', 'The network is used')),
    ...(permissions.shell ? [] : missing(modules(/^(?:node:)?child_process$|^execa$/), 'shell', 'Programs are started')),
  ];
};

const nameFindings = (source: Source, manifest: Manifest, say: Say): readonly Finding[] => {
  const { contributes, provides, requires } = manifest;
  const ids = (list: readonly { readonly id: string }[]): ReadonlySet<string> => new Set(list.map(({ id }) => id));
  const undeclared = (uses: readonly Use[], known: ReadonlySet<string>, code: FindingCode, field: string, why: string): readonly Finding[] =>
    uses.filter(({ name }) => !known.has(name)).map((use) => say(code, 'error', use, `"${use.name}" is not in ${field}`, why));
  const containers = usesOf(source.code, /\bcontainerId\s*:\s*['"]([^'"\n]+)['"]/g).filter(({ at }) => source.bare[at] === 'c');
  return [
    ...undeclared(
      containers,
      ids(contributes.sessionContainers),
      'container_undeclared',
      'contributes.sessionContainers',
      'create refuses a container that the manifest does not declare.',
    ),
    ...undeclared(named(source, 'onWebhook'), ids(contributes.webhooks), 'hook_undeclared', 'contributes.webhooks', 'The server has no address for it.'),
    ...undeclared(named(source, 'onSchedule'), ids(contributes.schedules), 'hook_undeclared', 'contributes.schedules', 'Nothing calls it.'),
    ...undeclared(named(source, 'capabilities\\.get'), new Set(requires.capabilities), 'capability_undeclared', 'requires.capabilities', 'It is refused.'),
    ...undeclared(named(source, 'capabilities\\.provide'), new Set(provides.capabilities), 'capability_undeclared', 'provides.capabilities', 'It is refused.'),
    ...named(source, 'secrets\\.(?:get|set|delete)')
      .filter(({ name }) => !maySeeSecret(manifest, name))
      .map((use) =>
        say(
          'secret_undeclared',
          'error',
          use,
          `"${use.name}" is not in permissions.secrets`,
          'A secret that is not declared is refused with permission_denied.',
        ),
      ),
  ];
};

/** Uses that the manifest does not declare, and members that a server does not have. */
export const undeclaredUses = (source: Source, manifest: Manifest): readonly Finding[] => {
  const say = sayIn(source);
  const tools = firstOf(usesOf(source.bare, /\btools\s*\.\s*register\s*\(/g));
  const desktop = usesOf(source.bare, /\b(?:ui\s*\.\s*(createCanvasWindow|createWebviewPanel)|ctx\s*\.\s*(commands))\b(?!\s*[:?=])/g);
  return [
    ...permissionFindings(source, manifest, say),
    ...nameFindings(source, manifest, say),
    ...(manifest.contributes.tools
      ? []
      : tools.map((use) =>
          say(
            'tools_undeclared',
            'error',
            use,
            'Tools are registered, and contributes.tools is not true',
            'No tool is registered for a mini-tool whose manifest does not say that it has some.',
          ),
        )),
    ...desktop.map((use) => say('not_on_server', 'error', use, 'It is not available on a server', 'Its use throws: there is no desktop.')),
  ];
};
