/**
 * What the page shows stands in its address (`?session=…`, `?new`), so that a reload, a link and the back button work.
 * A query, not a path: the page is then the same file wherever it is served.
 */
import { useSyncExternalStore } from 'react';

export type Place = { readonly kind: 'session'; readonly id: string } | { readonly kind: 'new' } | { readonly kind: 'start' };

const listeners = new Set<() => void>();
let cached: { readonly search: string; readonly place: Place } | undefined;

const parse = (search: string): Place => {
  const query = new URLSearchParams(search);
  const id = query.get('session');
  if (id) return { kind: 'session', id };
  return query.has('new') ? { kind: 'new' } : { kind: 'start' };
};

const current = (): Place => {
  // The same address gives the same object: useSyncExternalStore compares by identity.
  if (cached?.search !== location.search) cached = { search: location.search, place: parse(location.search) };
  return cached.place;
};

export const addressOf = (place: Place): string => {
  switch (place.kind) {
    case 'session':
      return `?session=${encodeURIComponent(place.id)}`;
    case 'new':
      return '?new';
    case 'start':
      return '/';
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
