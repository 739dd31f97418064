/**
 * The embedded chat: its page, and the script that puts it into pages of other sites.
 *
 * EM1 The page is one for every address below `/c`: a token in the address is the page's to read, and nothing here looks at it,
 *     keeps it or writes it anywhere.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { sendNothingHere } from '../problems.ts';

const hidden = { schema: { hide: true } as never };

/** Read once: the page names its files by their hashes, which are known from the start of the server only. */
const fileIn = (folder: string | undefined, name: string): string | undefined => {
  const path = folder && join(folder, name);
  return path && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

export const registerChat = (pages: Api, folder: string | undefined): void => {
  const page = fileIn(folder, 'chat.html');
  const script = fileIn(folder, 'embed.js');
  // [EM1]
  for (const address of ['/c', '/c/', '/c/:token'])
    pages.get(address, hidden, (request, reply) => {
      if (page === undefined) return sendNothingHere(request, reply);
      return reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex').type('text/html; charset=utf-8').send(page);
    });
  pages.get('/embed.js', hidden, (request, reply) => {
    if (script === undefined) return sendNothingHere(request, reply);
    // Whoever may frame the chat is said by the page's policy; the script alone opens nothing.
    reply.header('cross-origin-resource-policy', 'cross-origin').header('cache-control', 'public, max-age=300');
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
};
