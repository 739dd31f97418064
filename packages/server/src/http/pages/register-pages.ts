/** Everything that people look at: the API's page, its document, the console. */
import type { Api } from '../api.ts';
import { docsPage, type OpenApiDocument } from '../openapi/docs-page.ts';
import { docsScript } from '../openapi/docs-script.ts';
import { registerChat } from './chat.ts';
import { registerConsole } from './console.ts';
import { registerChatHeaders, registerPageHeaders } from './security-headers.ts';

type Options = { readonly consoleFolder?: string; readonly publicUrl?: string; readonly embedOrigins?: readonly string[] };

const hidden = { schema: { hide: true } as never };

export const registerPages = (server: Api, { consoleFolder, publicUrl, embedOrigins = [] }: Options): void => {
  // Made once, at the first look: the document does not change while the server runs.
  let document: string | undefined;
  const openApi = (): string => {
    document ??= JSON.stringify((server as unknown as { swagger: () => OpenApiDocument }).swagger());
    return document;
  };
  let docs: string | undefined;
  server.register(async (pages: Api) => {
    registerPageHeaders(pages);
    pages.get('/openapi.json', hidden, (_request, reply) => reply.type('application/json; charset=utf-8').send(openApi()));
    pages.get('/docs', hidden, (_request, reply) => {
      // Not by the request's Host: the page is made once, for everyone.
      docs ??= docsPage(JSON.parse(openApi()) as OpenApiDocument, publicUrl ?? '$TURNKEEPER_URL');
      return reply.type('text/html; charset=utf-8').send(docs);
    });
    pages.get('/docs/page.js', hidden, (_request, reply) => reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(docsScript));
    registerConsole(pages, consoleFolder);
  });
  server.register(async (pages: Api) => {
    registerChatHeaders(pages, embedOrigins);
    registerChat(pages, consoleFolder);
  });
};
