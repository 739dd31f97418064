/** docs/protocol/routes.md is what the server says of itself: `npx vitest run --project unit route-docs -u` writes it anew. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

type Operation = { readonly summary?: string; readonly tags?: readonly string[] };
type Document = { readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } } };

let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp();
});
afterAll(() => server.close());

const head = `# All routes

Made from the server's own document (\`GET /openapi.json\`, for people at \`/docs\`), which has their parameters, bodies, answers and errors.
What they mean together: [overview](overview.md).
`;

const render = ({ paths }: Document): string => {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '', tags = [] }]) => ({
      tag: tags[0] ?? 'other',
      row: `| \`${method.toUpperCase()} ${path}\` | ${summary} |`,
    })),
  );
  const tags = [...new Set(routes.map(({ tag }) => tag))].toSorted();
  const table = (tag: string): string => routes.flatMap((route) => (route.tag === tag ? [route.row] : [])).join('\n');
  return [head, ...tags.map((tag) => `## ${tag}\n\n| route | what it does |\n| --- | --- |\n${table(tag)}\n`)].join('\n');
};

test('the page of all routes has them all', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  const document = body as unknown as Document;
  expect(Object.keys(document.paths).length).toBeGreaterThan(100);
  await expect(render(document)).toMatchFileSnapshot(join(import.meta.dirname, '../../../../docs/protocol/routes.md'));
});
