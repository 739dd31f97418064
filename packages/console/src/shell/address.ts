/**
 * What the page shows stands in its address (`/?session=…`, `/new`, `/approvals`, `/sessions?…`), so that a reload, a
 * link and the back button work. The server answers all of them with the same page.
 */
import { useSyncExternalStore } from 'react';
import { parseFilters, printFilters, type SessionFilters } from '../sessions/filters.ts';
import { printQuery, type Query, readQuery } from './query.ts';

/** The pages whose address is their name and what they show. */
const plainPages = ['now', 'turn', 'checkpoints', 'minitools', 'deliveries', 'usage', 'targets', 'settings'] as const;
export type PlainPage = (typeof plainPages)[number];

export type Place =
  /** `query`: what of it is shown beside the conversation: a turn, a panel, a child. */
  | { readonly kind: 'session'; readonly id: string; readonly query?: Query }
  /** `target`: what the new session is for (new-target.ts). */
  | { readonly kind: 'new'; readonly target?: string }
  | { readonly kind: 'start' }
  /** No page has this address. */
  | { readonly kind: 'nowhere'; readonly path: string }
  /** `action`: the one that the keys act on. */
  | { readonly kind: 'approvals'; readonly action?: string; readonly history?: true }
  | { readonly kind: 'sessions'; readonly filters: SessionFilters }
  | { readonly kind: PlainPage; readonly query: Query };

/** A page by its name. */
export const pageAt = (kind: PlainPage, query: Query = {}): Place => ({ kind, query });

const listeners = new Set<() => void>();
let cached: { readonly address: string; readonly place: Place } | undefined;

export const placeOf = (path: string, search: string): Place => {
  const query = new URLSearchParams(search);
  const name = path.replace(/\/+$/, '');
  const plain = plainPages.find((page) => `/${page}` === name);
  if (plain) return { kind: plain, query: readQuery(query) };
  switch (name) {
    case '/approvals': {
      if (query.has('history')) return { kind: 'approvals', history: true };
      const action = query.get('action');
      return action ? { kind: 'approvals', action } : { kind: 'approvals' };
    }
    case '/new':
      return newPlace(query);
    case '/sessions':
      return { kind: 'sessions', filters: parseFilters(query) };
    case '':
    case '/index.html':
      return placeAtRoot(query);
    default:
      return { kind: 'nowhere', path };
  }
};

const placeAtRoot = (query: URLSearchParams): Place => {
  const { session: id, ...more } = readQuery(query);
  if (id) return { kind: 'session', id, query: more };
  // As it was written once.
  return query.has('new') ? newPlace(query) : { kind: 'start' };
};

const newPlace = (query: URLSearchParams): Place => {
  const target = query.get('target');
  return target ? { kind: 'new', target } : { kind: 'new' };
};

const current = (): Place => {
  const address = location.pathname + location.search;
  // The same address gives the same object: useSyncExternalStore compares by identity.
  if (cached?.address !== address) cached = { address, place: placeOf(location.pathname, location.search) };
  return cached.place;
};

export const addressOf = (place: Place): string => {
  switch (place.kind) {
    case 'session':
      return `/${printQuery({ session: place.id, ...place.query })}`;
    case 'new':
      return `/new${printQuery({ target: place.target })}`;
    case 'start':
      return '/';
    case 'nowhere':
      return place.path;
    case 'approvals':
      return place.history ? '/approvals?history=1' : `/approvals${printQuery({ action: place.action })}`;
    case 'sessions':
      return `/sessions${printFilters(place.filters)}`;
    case 'now':
    case 'turn':
    case 'checkpoints':
    case 'minitools':
    case 'deliveries':
    case 'usage':
    case 'targets':
    case 'settings':
      return `/${place.kind}${printQuery(place.query)}`;
  }
};

/** `replace`: the way there is not worth a step back. */
export const go = (place: Place, options: { readonly replace?: boolean } = {}): void => {
  if (options.replace) history.replaceState(null, '', addressOf(place));
  else history.pushState(null, '', addressOf(place));
  for (const listener of [...listeners]) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
};

export const usePlace = (): Place => useSyncExternalStore(subscribe, current);
