/** What is shown, by other ways: as a command of the API, of the terminal, as a program. What has no such way has none here. */
import { curlGet, terminalCommand } from '../composer/snippets.ts';
import type { Place } from '../shell/address.ts';
import { formsOf } from './place-forms.ts';

export type Access = { readonly origin: string; readonly token: string };
export type CopyForm = 'curl' | 'cli' | 'typescript';

const program = ({ origin, token }: Access, call: string): string =>
  [
    "import { createClient } from '@turnkeeper/client/create-client';",
    '',
    `const client = createClient({ baseUrl: ${JSON.stringify(origin)}, token: ${JSON.stringify(token)} });`,
    `console.log(await ${call});`,
    'client.close();',
  ].join('\n');

/** The ways that this place has; each is made when it is wanted, for it carries a token. */
export const copyForms = (place: Place, isAdmin: boolean, now: number): { readonly [form in CopyForm]?: (access: Access) => string } => {
  const { path, cli, call } = formsOf(place, { isAdmin, now });
  return {
    ...(path === undefined ? {} : { curl: (access) => curlGet(access, path) }),
    ...(cli === undefined ? {} : { cli: (access) => terminalCommand(access, cli) }),
    ...(call === undefined ? {} : { typescript: (access) => program(access, call) }),
  };
};

/** The id of what is shown, if it is one thing. */
export const idShown = (place: Place): string | undefined => formsOf(place, { isAdmin: true, now: 0 }).id;
