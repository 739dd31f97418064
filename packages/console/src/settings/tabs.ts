/** The views of the settings, and who sees which: what would be refused is not shown. */
import type { TextKey } from '../i18n/en.ts';

export type SettingsTab = 'account' | 'tokens' | 'applications' | 'users' | 'spaces' | 'secrets' | 'models' | 'server' | 'audit';

type TabOf = { readonly id: SettingsTab; readonly text: TextKey; readonly admin?: true };

const tabs: readonly TabOf[] = [
  { id: 'account', text: 'tabAccount' },
  { id: 'tokens', text: 'tabTokens' },
  { id: 'applications', text: 'tabApplications' },
  { id: 'users', text: 'tabUsers', admin: true },
  { id: 'spaces', text: 'tabSpaces' },
  { id: 'models', text: 'tabModels', admin: true },
  { id: 'secrets', text: 'tabSecrets', admin: true },
  { id: 'server', text: 'tabServer', admin: true },
  { id: 'audit', text: 'tabAudit', admin: true },
];

export const tabsFor = (isAdmin: boolean): readonly TabOf[] => tabs.filter(({ admin }) => isAdmin || !admin);

/** The one that the address names, if this person sees it; else the first. */
export const tabOf = (named: string | undefined, isAdmin: boolean): SettingsTab => tabsFor(isAdmin).find(({ id }) => id === named)?.id ?? 'account';
