/**
 * What stands at a place of the console, by other ways: the path of the API, the command of the terminal, the call of the client.
 * What is opened on a page comes before the page. What a way does not have is left out.
 */
import type { WebhookOf } from '@turnkeeper/client/calls/webhooks';
import { shellQuote } from '../composer/snippets.ts';
import { parseTarget } from '../new-chat/new-target.ts';
import { queryOf } from '../sessions/filters.ts';
import { readAuditFilters } from '../settings/audit-filters.ts';
import { tabOf } from '../settings/tabs.ts';
import type { Place } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { periodOf, spanOf } from '../usage/period.ts';

export type Forms = {
  /** Below `/api/v1`, or from the root where it begins with `/api/`. */
  readonly path?: string;
  readonly cli?: string;
  readonly call?: string;
  /** Of the one thing that is shown. */
  readonly id?: string;
};
export type Reader = { readonly isAdmin: boolean; readonly now: number };

const part = encodeURIComponent;
const quoted = (text: string): string => JSON.stringify(text);
const listed = (query: object): string => new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
/** Of what comes from the address: an id that holds anything else is no id, and is quoted as such. */
const word = (text: string): string => (/^\w[\w.:@/-]*$/.test(text) ? text : shellQuote(text));
const flag = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [`--${name} ${shellQuote(value)}`]);

const sessionForms = (id: string, { child }: Query = {}): Forms => {
  if (child !== undefined) {
    return {
      path: `/agent-sessions/${part(id)}/subagents/${part(child)}/snapshot`,
      cli: `children ${word(id)}`,
      call: `client.subagents.snapshot(${quoted(id)}, ${quoted(child)})`,
      id: child,
    };
  }
  return { path: `/agent-sessions/${part(id)}/snapshot`, cli: `chat ${word(id)}`, call: `client.sessions.snapshot(${quoted(id)})`, id };
};

const turnForms = ({ session, turn }: Query): Forms => {
  if (session === undefined) return {};
  if (turn === undefined) return sessionForms(session);
  return {
    path: `/agent-sessions/${part(session)}/turns/${part(turn)}`,
    cli: `show ${word(session)}`,
    call: `client.turns.get(${quoted(session)}, ${quoted(turn)})`,
    id: turn,
  };
};

const states = { running: 'running', requires_action: 'waiting', idle: 'idle' } as const;

const listForms = (place: Extract<Place, { kind: 'sessions' }>, reader: Reader): Forms => {
  const query = queryOf(place.filters, reader);
  const { status, activity, owner, q, text, space, target, updated_from: from } = query;
  const flags = [
    ...(activity === undefined ? (status === 'active' ? [] : [`--status ${status}`]) : [`--status ${states[activity]}`]),
    ...(activity === undefined || status === 'active' ? [] : [status === 'all' ? '--all' : '--archived']),
    ...flag('owner', owner),
    ...flag('query', q),
    ...flag('text', text),
    ...flag('space', space),
    ...flag('agent', target),
    ...(from === undefined ? [] : [`--since ${new Date(from).toISOString()}`]),
  ];
  // The terminal narrows a list by agents only, and neither by containers nor by costs: what it could not do is no command.
  const told = (target === undefined || target.startsWith('agent_')) && query.container === undefined && query.min_cost === undefined;
  return {
    path: `/agent-sessions?${listed(query)}`,
    ...(told ? { cli: ['ls', ...flags].join(' ') } : {}),
    call: `client.sessions.list(${JSON.stringify(query)})`,
  };
};

const checkpointForms = ({ session }: Query): Forms =>
  session === undefined
    ? {}
    : {
        path: `/agent-sessions/${part(session)}/checkpoints`,
        cli: `checkpoints ${word(session)}`,
        call: `client.context.checkpoints(${quoted(session)})`,
        id: session,
      };

const minitoolForms = ({ id, tab }: Query): Forms => {
  if (id === undefined) return { path: '/minitools', cli: 'minitool list', call: 'client.minitools.list()' };
  const path = `/minitools/${part(id)}`;
  if (tab === 'log') return { path: `${path}/logs`, cli: `minitool logs ${word(id)}`, call: `client.minitools.logs(${quoted(id)})`, id };
  return { path, cli: `minitool ${tab === 'settings' ? 'settings' : 'show'} ${word(id)}`, call: `client.minitools.get(${quoted(id)})`, id };
};

/** In one of its versions, where that is opened. */
const targetForms = ({ tab, id, version, revision }: Query): Forms => {
  const kind = tab === 'teams' || tab === 'workflows' ? tab : 'agents';
  const command = { agents: 'agents', teams: 'team', workflows: 'workflow' }[kind];
  if (id === undefined) return { path: `/${kind}`, cli: `${command} ls`, call: `client.${kind}.list()` };
  const path = `/${kind}/${part(id)}`;
  if (kind === 'agents' && version !== undefined)
    return { path: `${path}/versions/${part(version)}`, call: `client.agents.version(${quoted(id)}, ${Number(version)})`, id };
  if (kind === 'workflows' && revision !== undefined) {
    return {
      path: `${path}/revisions/${part(revision)}`,
      cli: `workflow revisions ${word(id)}`,
      call: `client.workflows.revision(${quoted(id)}, ${quoted(revision)})`,
      id,
    };
  }
  return { path, cli: `${command} show ${word(id)}`, call: `client.${kind}.get(${quoted(id)})`, id };
};

/** `of` whom a webhook tells stands in the address beside its id; a link from before that has the id alone. */
const webhookSubject = ({ session, turn, application }: Query): (Pick<Forms, 'path' | 'cli'> & { readonly of: WebhookOf }) | undefined => {
  if (application !== undefined) return { of: { applicationId: application }, path: `/applications/${part(application)}`, cli: `--app ${word(application)}` };
  if (session === undefined) return undefined;
  if (turn === undefined) return { of: { sessionId: session }, path: `/agent-sessions/${part(session)}`, cli: `--session ${word(session)}` };
  const path = `/agent-sessions/${part(session)}/turns/${part(turn)}`;
  return { of: { sessionId: session, turnId: turn }, path, cli: `--session ${word(session)} --turn ${word(turn)}` };
};

const deliveryForms = (query: Query): Forms => {
  const { tab, webhook } = query;
  if (tab === 'in') return { path: '/minitools', cli: 'minitool list', call: 'client.minitools.list()' };
  const id = webhook === undefined ? {} : { id: webhook };
  const subject = webhookSubject(query);
  if (!subject) return { path: '/webhooks', call: 'client.webhooks.all()', ...id };
  const { of, path, cli } = subject;
  if (webhook === undefined) return { path: `${path}/webhooks`, cli: `webhooks ls ${cli}`, call: `client.webhooks.list(${JSON.stringify(of)})` };
  return {
    path: `${path}/webhooks/${part(webhook)}/deliveries`,
    cli: `webhooks deliveries ${word(webhook)} ${cli}`,
    call: `client.webhooks.deliveries(${JSON.stringify(of)}, ${quoted(webhook)})`,
    ...id,
  };
};

const usageForms = ({ period, by = 'model' }: Query, now: number): Forms => {
  const query = { ...spanOf(periodOf(period), now), group_by: by };
  return {
    path: `/usage?${listed(query)}`,
    cli: `usage --by ${word(by)} --since ${new Date(query.from).toISOString()}`,
    call: `client.usage.report(${JSON.stringify(query)})`,
  };
};

const settingsForms = (query: Query, { isAdmin }: Reader): Forms => {
  const { application, space } = query;
  switch (tabOf(query['tab'], isAdmin)) {
    case 'account':
      return { path: '/api/auth/me', cli: 'whoami', call: 'client.account.me()' };
    case 'tokens':
      return { path: '/tokens', cli: 'tokens ls', call: 'client.tokens.list()' };
    case 'applications':
      if (application === undefined) return { path: '/applications', cli: 'apps ls', call: 'client.applications.list()' };
      return {
        path: `/applications/${part(application)}`,
        cli: `apps show ${word(application)}`,
        call: `client.applications.get(${quoted(application)})`,
        id: application,
      };
    case 'users':
      return { path: '/users', cli: 'users ls', call: 'client.users.list()' };
    case 'spaces':
      if (space === undefined) return { path: '/spaces', cli: 'spaces ls', call: 'client.spaces.list()' };
      return { path: `/spaces/${part(space)}/members`, cli: `spaces members ${word(space)}`, call: `client.spaces.members(${quoted(space)})`, id: space };
    case 'secrets':
      return { path: '/secrets', cli: 'secrets ls', call: 'client.secrets.list()' };
    case 'models':
      return { path: '/models', call: 'client.models()' };
    case 'server':
      return { path: '/server', call: 'client.server.info()' };
    case 'audit': {
      const filters = readAuditFilters(query);
      const asked = listed(filters);
      const flags = Object.entries(filters).flatMap(([name, value]) => flag(name, value));
      return { path: asked === '' ? '/audit' : `/audit?${asked}`, cli: ['audit', ...flags].join(' '), call: `client.audit.page(${JSON.stringify(filters)})` };
    }
  }
};

const approvalForms = ({ action, history }: Extract<Place, { kind: 'approvals' }>): Forms =>
  history
    ? { path: '/required-actions/answered', cli: 'approvals --answered', call: 'client.actions.answered()' }
    : { path: '/required-actions', cli: 'approvals', call: 'client.actions.list()', ...(action === undefined ? {} : { id: action }) };

/** Nothing is there before its first message; what it will be for is. */
const newForms = (text: string | undefined): Forms => {
  const target = parseTarget(text);
  return target ? targetForms({ tab: `${target.type}s`, id: target.id }) : {};
};

export const formsOf = (place: Place, reader: Reader): Forms => {
  switch (place.kind) {
    case 'session':
      return sessionForms(place.id, place.query);
    case 'sessions':
      return listForms(place, reader);
    case 'approvals':
      return approvalForms(place);
    case 'turn':
      return turnForms(place.query);
    case 'checkpoints':
      return checkpointForms(place.query);
    case 'now':
      return { path: '/overview', call: 'client.overview()' };
    case 'minitools':
      return minitoolForms(place.query);
    case 'targets':
      return targetForms(place.query);
    case 'deliveries':
      return deliveryForms(place.query);
    case 'usage':
      return usageForms(place.query, reader.now);
    case 'settings':
      return settingsForms(place.query, reader);
    case 'new':
      return newForms(place.target);
    case 'start':
    case 'nowhere':
      return {};
  }
};
