/**
 * The console's files, and what is said where there are none.
 *
 * HC1 What the build has compressed is sent compressed to whoever takes it: the same type, policy and caching, `Vary`
 *     for caches between. Compressed files have no address of their own.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Api } from '../api.ts';
import { sendNothingHere } from '../problems.ts';

const hashedFiles = '/assets/';
const forever = 'public, max-age=31536000, immutable';

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Turnkeeper</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem">
<h1>Turnkeeper is running</h1>
<p>The console is not built. In the checkout, <code>npm run build:console</code> builds it; then start the server again.</p>
<p>The API works: <a href="/docs">documentation</a>, <a href="/openapi.json">OpenAPI</a>.</p>
</body></html>
`;

/** A path of the console's own router: no file's name at its end. */
const isView = (url: string): boolean => !/\.[A-Za-z0-9]+$/.test(url.split('?', 1)[0] ?? '');

export const registerConsole = (pages: Api, folder: string | undefined): void => {
  const built = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (built) {
    pages.register(fastifyStatic, {
      root: folder,
      // A route for each file: what is no file goes to the console's own router, below.
      wildcard: false,
      preCompressed: true,
      // Those of the embedded chat have a door of their own.
      globIgnore: ['**/*.br', '**/*.gz', '**/chat.html', '**/embed.js'],
      // Set below: by what the file is.
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes(hashedFiles) ? forever : 'no-cache');
      },
    });
  }
  pages.get('/*', { schema: { hide: true } as never }, (request, reply) => {
    if (/^\/api(\/|$|\?)/.test(request.url) || !isView(request.url)) return sendNothingHere(request, reply);
    return built ? reply.sendFile('index.html') : reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(notBuilt);
  });
};
