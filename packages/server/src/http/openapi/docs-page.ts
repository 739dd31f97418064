/** The browsable page of the API, made on the server from the OpenAPI document: no script, nothing from elsewhere. */
import { escapeHtml } from '../pages/escape-html.ts';

type Schema = { readonly [keyword: string]: unknown };
type Content = { readonly [mediaType: string]: { readonly schema?: Schema } };
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly description?: string; readonly schema?: Schema };
type Operation = {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly description: string; readonly content?: Content } };
  readonly security?: readonly unknown[];
};
export type OpenApiDocument = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths?: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components?: { readonly schemas?: { readonly [name: string]: Schema } };
};

const style = `
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:62rem;padding:1.5rem}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{overflow:auto;padding:.75rem;border:1px solid #8884;border-radius:6px}
details{border:1px solid #8884;border-radius:8px;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .5rem;border-top:1px solid #8884}
.method{display:inline-block;min-width:4rem;font-weight:600}
nav a{margin-right:1rem}
`;

const anchor = (name: string): string => `schema-${name.replace(/[^A-Za-z0-9_-]/g, '')}`;

/** JSON with its references as links to the schemas below. */
const schemaHtml = (schema: Schema | undefined): string =>
  escapeHtml(JSON.stringify(schema ?? {}, null, 2)).replaceAll(
    /#\/components\/schemas\/([A-Za-z0-9_-]+)/g,
    (all, name: string) => `<a href="#${anchor(name)}">${all}</a>`,
  );

const paragraph = (text: string | undefined): string => (text ? `<p>${escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>` : '');

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): string =>
  `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}${required ? ', required' : ''}</td><td>${paragraph(description)}<code>${escapeHtml(JSON.stringify(schema ?? {}))}</code></td></tr>`;

const contentHtml = (content: Content | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `<p>${escapeHtml(type)}</p><pre>${schemaHtml(schema)}</pre>`)
    .join('');

const curl = (base: string, path: string, method: string, operation: Operation): string => {
  const parameters = operation.parameters ?? [];
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${operation.responses['200']?.content?.['text/event-stream'] ? '-N ' : ''}"${base}${path}"`,
    ...(operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $TURNKEEPER_TOKEN"']),
    ...(parameters.some(({ name, required }) => name === 'Idempotency-Key' && required) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(operation.requestBody ? ["-H 'Content-Type: application/json'", "-d '{ … }'"] : []),
  ];
  return escapeHtml(lines.join(' \\\n  '));
};

const operationHtml = (base: string, path: string, method: string, operation: Operation): string => {
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<details><summary><code>${escapeHtml(status)}</code> ${escapeHtml(description)}</summary>${contentHtml(content)}</details>`,
  );
  const parameters = (operation.parameters ?? []).map(parameterRow).join('');
  return `<details><summary><span class="method">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary ?? '')}</summary>
${paragraph(operation.description)}
<pre>${curl(base, path, method, operation)}</pre>
${parameters === '' ? '' : `<h4>Parameters</h4><table>${parameters}</table>`}
${operation.requestBody ? `<h4>Body</h4>${contentHtml(operation.requestBody.content)}` : ''}
<h4>Answers</h4>${answers.join('')}
</details>`;
};

const sections = (document: OpenApiDocument, base: string): string => {
  const entries = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, tag: operation.tags?.[0] ?? 'other' })),
  );
  return [...Map.groupBy(entries, ({ tag }) => tag)]
    .map(
      ([tag, found]) =>
        `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${found.map(({ path, method, operation }) => operationHtml(base, path, method, operation)).join('')}`,
    )
    .join('');
};

export const docsPage = (document: OpenApiDocument, base: string): string => {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const tags = new Set(Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods).map(({ tags: [tag] = [] }) => tag ?? 'other')));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title><style>${style}</style></head><body>
<h1>${escapeHtml(document.info.title)} API</h1>
${(document.info.description ?? '').split('\n\n').map(paragraph).join('')}
<p>The same for machines: <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1).</p>
<nav>${[...tags].map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join('')}<a href="#schemas">schemas</a></nav>
${sections(document, base)}
<h2 id="schemas">schemas</h2>
${schemas.map(([name, schema]) => `<details id="${anchor(name)}"><summary><code>${escapeHtml(name)}</code></summary><pre>${schemaHtml(schema)}</pre></details>`).join('')}
</body></html>
`;
};
