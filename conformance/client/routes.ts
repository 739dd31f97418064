/** The routes of the server's own document, as an attacker uses them: filled with ids, each with a body that fits. */
import type { Target } from './target.ts';

export type Route = { readonly method: string; readonly template: string; readonly wantsBody: boolean; readonly open: boolean };

/** One of each that a session has: what is attacked is there. */
export type Ids = {
  readonly session: string;
  readonly turn: string;
  readonly action: string;
  readonly event: string;
  readonly command: string;
  readonly child: string;
  readonly childTurn: string;
  readonly childEvent: string;
  readonly checkpoint: string;
  readonly file: string;
  readonly artifact: string;
  readonly webhook: string;
  readonly turnWebhook: string;
  readonly schedule: string;
  readonly modelCall: string;
};

type Operation = { readonly security?: readonly unknown[]; readonly requestBody?: unknown };

export const routesOf = ({ document }: Target): readonly Route[] =>
  Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods as { readonly [method: string]: Operation }).map(([method, { security, requestBody }]) => ({
      method: method.toUpperCase(),
      template,
      wantsBody: requestBody !== undefined,
      open: security?.length === 0,
    })),
  );

type Body = (ids: Ids) => unknown;

/** By the end of the path: a well-formed body, which would do something if it were let. */
const bodies: readonly (readonly [end: RegExp, body: Body])[] = [
  [/\{sessionId\}$/, () => ({ title: 'stolen' })],
  [/\/(turns|steer|inputs|inject)$/, () => ({ message: 'stolen' })],
  [/\/queue$/, () => ({ order: [] })],
  [/\/budget$/, () => ({ max_model_calls: 0 })],
  [/\/actions$/, ({ action }) => ({ request_id: action, payload: { output: 'stolen' } })],
  [/\/checkpoints\/restore$/, ({ checkpoint }) => ({ checkpoint_id: checkpoint, reason: 'stolen' })],
  [/\/fork$/, ({ checkpoint }) => ({ checkpoint_id: checkpoint, reason: 'stolen' })],
  [/\/files$/, () => 'stolen'],
  [/\/artifacts$/, ({ file }) => ({ file_id: file })],
  [/\/webhooks$/, () => ({ url: 'http://127.0.0.1:9/stolen' })],
  [/\/schedules$/, () => ({ at: '2100-01-01T00:00:00Z', message: 'stolen' })],
  [/\/schedules\/\{scheduleId\}$/, () => ({ version: 1, message: 'stolen' })],
  [/\/client-tokens$/, () => ({})],
];

/** A body for each route of a session that wants one; undefined where this page does not know one. */
export const bodyOf = ({ template, wantsBody }: Route, ids: Ids): unknown =>
  wantsBody ? bodies.find(([end]) => template.includes('{sessionId}') && end.test(template))?.[1](ids) : undefined;

/** What goes with the body: bytes are sent as they are. */
export const headersOf = ({ method, template }: Route): Readonly<Record<string, string>> =>
  method === 'POST' && template.endsWith('/files') ? { 'content-type': 'text/plain', 'x-file-name': 'stolen.txt' } : {};

export const fill = (template: string, ids: Ids): string => {
  const below = template.includes('{childId}');
  return template
    .replace('{sessionId}', ids.session)
    .replace('{childId}', ids.child)
    .replace('{turnId}', below ? ids.childTurn : ids.turn)
    .replace('{eventId}', below ? ids.childEvent : ids.event)
    .replace('{commandId}', ids.command)
    .replace('{list}', 'items')
    .replace('{fileId}', ids.file)
    .replace('{artifactId}', ids.artifact)
    .replace('{webhookId}', template.includes('{turnId}') ? ids.turnWebhook : ids.webhook)
    .replace('{scheduleId}', ids.schedule)
    .replace('{modelCallId}', ids.modelCall)
    .replaceAll(/\{[^}]+\}/g, 'x');
};

/** What models were asked is shown to people only, whatever scopes a key has. */
export const isForPeople = ({ template }: Route): boolean => template.includes('/model-calls');

/** The scope that a key needs for a route of a session. */
export const scopeOf = ({ method, template }: Route): string => {
  if (template.includes('/webhooks')) return 'webhooks:write';
  if (method === 'GET') return 'read';
  if (/\/(actions|resume|pause|steer|inputs|inject)$/.test(template)) return 'interact';
  return /\/(cancel|queue\/\{turnId\})$/.test(template) ? 'cancel' : 'invoke';
};
