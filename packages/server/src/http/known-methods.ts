/** Which methods a path of the API takes: for those who ask it with another one. */
import type { Api } from './api.ts';

type KnownMethods = {
  /** The methods of the routes that this path fits; none when there is no such path. */
  readonly of: (path: string) => readonly string[];
};

/** Fastify's router answers for one method at a time, and only for patterns: patterns are kept here as they are added. */
export const watchMethods = (server: Api): KnownMethods => {
  const methods = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    // Pages are for looking at: whoever sends something to one asked for nothing that is there.
    if (!url.startsWith('/api/')) return;
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  const fits = (pattern: string, path: string): boolean => {
    const parts = path.split('/');
    const wanted = pattern.split('/');
    return wanted.length === parts.length && wanted.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]));
  };
  return { of: (path) => [...new Set([...methods].flatMap(([pattern, names]) => (fits(pattern, path) ? [...names] : [])))].sort() };
};
