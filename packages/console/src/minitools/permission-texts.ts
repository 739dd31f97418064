/** What a mini-tool may do, in words of the reader's language; what this page does not know is told in the server's words. */
import type { MinitoolPermissions, PermissionInWords } from '@turnkeeper/core/protocol/wire/minitools';
import type { Text } from '../i18n/use-text.ts';

export type PermissionLine = {
  readonly permission: string;
  readonly words: string;
  /** The server keeps it to that; else it is what its author says. */
  readonly enforced: boolean;
  /** It may do something by it. */
  readonly granted: boolean;
};

const fileTexts = { none: 'permFilesNone', read: 'permFilesRead', readwrite: 'permFilesWrite' } as const;

export const permissionLines = (permissions: MinitoolPermissions, inWords: readonly PermissionInWords[], t: Text): readonly PermissionLine[] => {
  const { filesystem, network, shell, secrets, oauth, sessions, sessionInteractions } = permissions;
  const known: Readonly<Record<string, readonly [granted: boolean, words: string]>> = {
    filesystem: [filesystem !== 'none', t(fileTexts[filesystem])],
    network: [network, t(network ? 'permNetwork' : 'permNoNetwork')],
    shell: [shell, t(shell ? 'permShell' : 'permNoShell')],
    secrets: [secrets.length > 0, secrets.length > 0 ? t('permSecrets', { names: secrets.join(', ') }) : t('permNoSecrets')],
    oauth: [oauth.length > 0, t('permOauth', { names: oauth.join(', ') })],
    sessions: [sessions, t(sessions ? 'permSessions' : 'permNoSessions')],
    sessionInteractions: [sessionInteractions, t(sessionInteractions ? 'permAnswers' : 'permNoAnswers')],
  };
  return inWords.map(({ permission, words, enforced }) => {
    const [granted, own] = known[permission] ?? [true, words];
    return { permission, words: own, enforced, granted };
  });
};
