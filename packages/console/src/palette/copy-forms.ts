/** What is shown, by other ways: as a command of the API, of the terminal, as a program. What has no such way has none here. */
import { curlGet, shellQuote, terminalCommand } from '../composer/snippets.ts';
import { queryOf } from '../sessions/filters.ts';
import type { Place } from '../shell/address.ts';

export type Access = { readonly origin: string; readonly token: string };
export type CopyForm = 'curl' | 'cli' | 'typescript';
type Forms = { readonly path?: string; readonly cli?: string; readonly call?: string };

const quoted = (text: string): string => JSON.stringify(text);

const sessionForms = (id: string): Forms => ({
  path: `/agent-sessions/${encodeURIComponent(id)}/snapshot`,
  cli: `chat ${id}`,
  call: `client.sessions.snapshot(${quoted(id)})`,
});

const turnForms = ({ session, turn }: { readonly [name: string]: string }): Forms => {
  if (session === undefined) return {};
  if (turn === undefined) return sessionForms(session);
  return {
    path: `/agent-sessions/${encodeURIComponent(session)}/turns/${encodeURIComponent(turn)}`,
    cli: `show ${session}`,
    call: `client.turns.get(${quoted(session)}, ${quoted(turn)})`,
  };
};

const listForms = (place: Extract<Place, { kind: 'sessions' }>, isAdmin: boolean, now: number): Forms => {
  const query = queryOf(place.filters, { isAdmin, now });
  const { status, owner, q, text, space } = query;
  const flags = [
    ...(status === 'active' ? [] : [`--status ${status}`]),
    ...(owner === undefined ? [] : [`--owner ${shellQuote(owner)}`]),
    ...(q === undefined ? [] : [`--query ${shellQuote(q)}`]),
    ...(text === undefined ? [] : [`--text ${shellQuote(text)}`]),
    ...(space === undefined ? [] : [`--space ${shellQuote(space)}`]),
  ];
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return { path: `/agent-sessions?${params}`, cli: ['ls', ...flags].join(' '), call: `client.sessions.list(${JSON.stringify(query)})` };
};

const formsOf = (place: Place, isAdmin: boolean, now: number): Forms => {
  switch (place.kind) {
    case 'session':
      return sessionForms(place.id);
    case 'sessions':
      return listForms(place, isAdmin, now);
    case 'approvals':
      return { path: '/required-actions', cli: 'approvals', call: 'client.actions.list()' };
    case 'turn':
      return turnForms(place.query);
    case 'checkpoints': {
      const { session } = place.query;
      return session === undefined
        ? {}
        : { path: `/agent-sessions/${encodeURIComponent(session)}/checkpoints`, call: `client.context.checkpoints(${quoted(session)})` };
    }
    case 'now':
      return { path: '/overview', call: 'client.overview()' };
    case 'minitools':
      return { path: '/minitools', cli: 'minitool list', call: 'client.minitools.list()' };
    case 'targets':
      return { path: '/agents', cli: 'agents ls', call: 'client.agents.list()' };
    case 'new':
    case 'start':
    case 'nowhere':
    case 'deliveries':
    case 'usage':
    case 'settings':
      return {};
  }
};

const program = ({ origin, token }: Access, call: string): string =>
  [
    "import { createClient } from '@turnkeeper/client/create-client';",
    '',
    `const client = createClient({ baseUrl: ${quoted(origin)}, token: ${quoted(token)} });`,
    `console.log(await ${call});`,
    'client.close();',
  ].join('\n');

/** The ways that this place has; each is made when it is wanted, for it carries a token. */
export const copyForms = (place: Place, isAdmin: boolean, now: number): { readonly [form in CopyForm]?: (access: Access) => string } => {
  const { path, cli, call } = formsOf(place, isAdmin, now);
  return {
    ...(path === undefined ? {} : { curl: (access) => curlGet(access, path) }),
    ...(cli === undefined ? {} : { cli: (access) => terminalCommand(access, cli) }),
    ...(call === undefined ? {} : { typescript: (access) => program(access, call) }),
  };
};

/** The id of what is shown, if it is one thing. */
export const idShown = (place: Place): string | undefined => {
  if (place.kind === 'session') return place.id;
  if (place.kind === 'approvals') return place.action;
  return place.kind === 'turn' ? (place.query['turn'] ?? place.query['session']) : undefined;
};
