/** What a fresh installation still lacks, by what is there: nobody ticks anything off. */
import type { TextKey } from '../i18n/en.ts';
import { type Place, pageAt } from '../shell/address.ts';

export type Step = {
  readonly id: 'model' | 'key' | 'minitool' | 'password';
  readonly text: TextKey;
  readonly hint: TextKey;
  readonly to: Place;
  readonly done: boolean;
};

export type Facts = {
  /** Providers of the configured models. */
  readonly providers: readonly string[];
  /** Names of one's personal tokens, and how many applications there are. */
  readonly tokens: readonly string[];
  readonly applications: number;
  readonly enabledMinitools: number;
  readonly hasPassword: boolean;
};

/** Those that signing in and copying commands make by themselves, and the server at its start. */
const ownTokens = ['browser', 'copied command', 'first admin', 'command line', 'TURNKEEPER_ADMIN_TOKEN'];

export const stepsOf = ({ providers, tokens, applications, enabledMinitools, hasPassword }: Facts): readonly Step[] => [
  { id: 'model', text: 'stepModel', hint: 'stepModelHint', to: pageAt('settings', { tab: 'models' }), done: providers.some((name) => name !== 'demo') },
  {
    id: 'key',
    text: 'stepApiKey',
    hint: 'stepApiKeyHint',
    to: pageAt('settings', { tab: applications > 0 ? 'applications' : 'tokens' }),
    done: applications > 0 || tokens.some((name) => !ownTokens.includes(name)),
  },
  { id: 'minitool', text: 'stepMinitool', hint: 'stepMinitoolHint', to: pageAt('minitools'), done: enabledMinitools > 0 },
  { id: 'password', text: 'stepPassword', hint: 'stepPasswordHint', to: pageAt('settings', { tab: 'account' }), done: hasPassword },
];
