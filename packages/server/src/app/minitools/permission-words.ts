/**
 * The permissions of a mini-tool as a person is shown them before it is enabled, and what of them has changed since.
 *
 * PN1 Nothing that a mini-tool may do is left out of the words, and what holds it to them is said beside each.
 */
import type { MinitoolPermissions } from '../../ports/minitool-host.ts';

export type PermissionInWords = { readonly permission: string; readonly words: string; readonly enforced: boolean };

const files: Readonly<Record<MinitoolPermissions['filesystem'], string>> = {
  none: 'Reads its own folder only, and writes only what the server keeps for it.',
  read: 'Reads all files of this machine that the server may read, but not the server’s data.',
  readwrite: 'Reads and writes all files of this machine that the server may, but not the server’s data.',
};

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** What it may do, one line for each permission. */
export const permissionsInWords = (permissions: MinitoolPermissions): readonly PermissionInWords[] => {
  const { filesystem, network, shell, secrets, oauth, sessions, sessionInteractions } = permissions;
  // A program that it starts is held to nothing: then what is said of files and network is what its author says.
  const enforced = !shell;
  return [
    { permission: 'filesystem', words: files[filesystem], enforced },
    { permission: 'network', words: network ? 'Reaches any address of the network, this machine’s own included.' : 'Reaches no network.', enforced },
    {
      permission: 'shell',
      words: shell ? 'Starts programs, which may do whatever the server’s user may. Nothing holds them to the other permissions.' : 'Starts no programs.',
      enforced: true,
    },
    {
      permission: 'secrets',
      words: secrets.length === 0 ? 'Has no secrets.' : `Keeps and reads its own secrets: ${listed(secrets)}.`,
      enforced: true,
    },
    ...(oauth.length === 0 ? [] : [{ permission: 'oauth', words: `Signs in to: ${listed(oauth)}.`, enforced: false }]),
    {
      permission: 'sessions',
      words: sessions ? 'Opens sessions of its own with your agents, and sends messages to them, which uses models.' : 'Opens no sessions.',
      enforced: true,
    },
    {
      permission: 'sessionInteractions',
      words: sessionInteractions
        ? 'Answers what its own sessions ask: allows calls of tools (never those that cannot be undone), answers questions, fills in forms.'
        : 'Answers nothing that its sessions ask: people do.',
      enforced: true,
    },
  ];
};

const names = ['filesystem', 'network', 'shell', 'secrets', 'oauth', 'sessions', 'sessionInteractions'] as const;
export type Difference = { readonly permission: string; readonly shown: unknown; readonly now: unknown };

const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((entry) => other.includes(entry)) && other.every((entry) => one.includes(entry))
    : one === other;

/** Where the two differ, in whichever direction. */
export const differences = (shown: MinitoolPermissions, now: MinitoolPermissions): readonly Difference[] =>
  names.filter((name) => !isSame(shown[name], now[name])).map((name) => ({ permission: name, shown: shown[name], now: now[name] }));

const width = { none: 0, read: 1, readwrite: 2 } as const;

/** True when everything that is asked for now was agreed to. */
export const isCovered = (consent: MinitoolPermissions | null, now: MinitoolPermissions): boolean => {
  if (consent === null) return false;
  const all = (wanted: readonly string[], given: readonly string[]): boolean => wanted.every((name) => given.includes(name));
  return (
    width[now.filesystem] <= width[consent.filesystem] &&
    (['network', 'shell', 'sessions', 'sessionInteractions'] as const).every((name) => !now[name] || consent[name]) &&
    all(now.secrets, consent.secrets) &&
    all(now.oauth, consent.oauth)
  );
};
