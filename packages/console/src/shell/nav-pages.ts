/** The pages that are reached from everywhere, in their order, and who has a use for each: what would be empty for ever is left out. */
import { ChartColumn, Gauge, ListTree, type LucideIcon, MessagesSquare, Puzzle, Settings, ShieldCheck, Waypoints, Webhook } from 'lucide-react';
import type { TextKey } from '../i18n/en.ts';
import { usualFilters } from '../sessions/filters.ts';
import { type Place, pageAt } from './address.ts';

export type NavPage = {
  readonly text: TextKey;
  readonly icon: LucideIcon;
  readonly to: Place;
  /** Where one is when one is there. */
  readonly kinds: readonly Place['kind'][];
  /** Pressed after `g`. */
  readonly key: string;
  /** In the bar at the bottom of phones; the others are one press further. */
  readonly main?: true;
  /** The rail has a list of its own for it. */
  readonly onlyInBar?: true;
  readonly needs?: keyof Reach;
};

/** What somebody has a use for, beyond what all have. */
export type Reach = { readonly minitools: boolean; readonly deliveries: boolean };

const pages: readonly NavPage[] = [
  { text: 'nowTitle', icon: Gauge, to: pageAt('now'), kinds: ['now'], key: 'n', main: true },
  {
    text: 'chat',
    icon: MessagesSquare,
    to: { kind: 'start' },
    kinds: ['start', 'new', 'session', 'turn', 'checkpoints'],
    key: 'c',
    main: true,
    onlyInBar: true,
  },
  { text: 'sessions', icon: ListTree, to: { kind: 'sessions', filters: usualFilters }, kinds: ['sessions'], key: 's', main: true },
  { text: 'approvals', icon: ShieldCheck, to: { kind: 'approvals' }, kinds: ['approvals'], key: 'a', main: true },
  { text: 'targetsTitle', icon: Waypoints, to: pageAt('targets'), kinds: ['targets'], key: 't' },
  { text: 'minitoolsTitle', icon: Puzzle, to: pageAt('minitools'), kinds: ['minitools'], key: 'm', needs: 'minitools' },
  { text: 'deliveriesTitle', icon: Webhook, to: pageAt('deliveries'), kinds: ['deliveries'], key: 'd', needs: 'deliveries' },
  { text: 'usageTitle', icon: ChartColumn, to: pageAt('usage'), kinds: ['usage'], key: 'u' },
  { text: 'settingsTitle', icon: Settings, to: pageAt('settings'), kinds: ['settings'], key: ',' },
];

export const pagesFor = (reach: Reach): readonly NavPage[] => pages.filter(({ needs }) => needs === undefined || reach[needs]);
