/**
 * The browsable page of the API, made on the server from the OpenAPI document. All of it can be read without a script; the
 * one of docs-script.ts adds a search and sends what only reads. Nothing comes from elsewhere.
 */
import { escapeHtml } from '../pages/escape-html.ts';
import { docsStyle } from './docs-style.ts';
import { type Schema, schemaAnchor, schemaHtml, shapeHtml } from './schema-html.ts';

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

/** One operation with its address. */
type Entry = { readonly path: string; readonly method: string; readonly operation: Operation };

const rich = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
const paragraph = (text: string | undefined): string => (text ? `<p>${rich(text)}</p>` : '');

/** `get /api/v1/agents/{agentId}` → `get-agents-agentId`. */
const operationAnchor = ({ path, method }: Entry): string => `${method}${path.replace(/^\/api\/v1/, '')}`.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): string =>
  `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}${required ? ', required' : ''}</td><td>${paragraph(description)}<code>${schemaHtml(schema)}</code></td></tr>`;

type Components = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>;

const contentHtml = (content: Content | undefined, components: Components): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `<p class="type">${escapeHtml(type)}</p><pre>${shapeHtml(schema, components)}</pre>`)
    .join('');

const isStream = ({ responses }: Operation): boolean => responses['200']?.content?.['text/event-stream'] !== undefined;

const curl = (base: string, { path, method, operation }: Entry): string => {
  const parameters = operation.parameters ?? [];
  const verb = `${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${isStream(operation) ? '-N ' : ''}`;
  const lines = [
    `curl ${verb}"<span class="base">${escapeHtml(base)}</span>${escapeHtml(path)}"`,
    ...(operation.security?.length === 0 ? [] : [escapeHtml('-H "Authorization: Bearer $TURNKEEPER_TOKEN"')]),
    ...(parameters.some(({ name, required }) => name === 'Idempotency-Key' && required) ? [escapeHtml('-H "Idempotency-Key: $(uuidgen)"')] : []),
    ...(operation.requestBody ? [escapeHtml("-H 'Content-Type: application/json'"), escapeHtml("-d '{ … }'")] : []),
  ];
  return lines.join(' \\\n  ');
};

/** What only reads, and comes to an end, can be sent from the page. */
const tryHtml = ({ path, method, operation }: Entry): string => {
  if (method !== 'get' || isStream(operation)) return '';
  const fields = (operation.parameters ?? [])
    .filter(({ in: place }) => place === 'path' || place === 'query')
    .map(
      ({ name, in: place, required }) =>
        `<label>${escapeHtml(name)} <input name="${escapeHtml(name)}" data-in="${escapeHtml(place)}" autocomplete="off"${required ? ' required' : ''}></label>`,
    );
  return `<form data-path="${escapeHtml(path)}" hidden>${fields.join('')}<button>Send</button><pre><output></output></pre></form>`;
};

const operationHtml = (base: string, entry: Entry, components: Components): string => {
  const { path, method, operation } = entry;
  const anchor = operationAnchor(entry);
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<details${status.startsWith('2') ? ' open' : ''}><summary><code>${escapeHtml(status)}</code> ${escapeHtml(description)}</summary>${status.startsWith('2') ? contentHtml(content, components) : contentHtml(content, {})}</details>`,
  );
  const parameters = (operation.parameters ?? []).map(parameterRow).join('');
  const text = `${method} ${path} ${operation.summary ?? ''} ${operation.description ?? ''}`.toLowerCase();
  return `<details id="${anchor}" data-text="${escapeHtml(text)}"><summary><span class="method ${escapeHtml(method)}">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary ?? '')}</span> <a class="link" href="#${anchor}" aria-label="Link to this operation">#</a></summary>
${paragraph(operation.description)}
<pre>${curl(base, entry)}</pre>
${tryHtml(entry)}
${parameters === '' ? '' : `<h4>Parameters</h4><table>${parameters}</table>`}
${operation.requestBody ? `<h4>Body</h4>${contentHtml(operation.requestBody.content, components)}` : ''}
<h4>Answers</h4>${answers.join('')}
</details>`;
};

const entriesByTag = ({ paths = {} }: OpenApiDocument): ReadonlyMap<string, readonly Entry[]> => {
  const entries = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  return Map.groupBy(entries, ({ operation }) => operation.tags?.[0] ?? 'other');
};

const componentHtml = ([name, schema]: readonly [string, Schema]): string =>
  `<details id="${schemaAnchor(name)}" data-text="${escapeHtml(name.toLowerCase())}"><summary><code>${escapeHtml(name)}</code></summary><pre>${schemaHtml(schema)}</pre></details>`;

/** `base`: where the API is reached, for the examples. */
export const docsPage = (document: OpenApiDocument, base: string): string => {
  const tags = [...entriesByTag(document)];
  const components = document.components?.schemas ?? {};
  const title = escapeHtml(document.info.title);
  const link = (name: string): string => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  const section = (name: string, content: string): string => `<section><h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>\n${content}</section>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title><link rel="icon" href="data:,"><style>${docsStyle}</style><script src="/docs/page.js" defer></script></head><body>
<h1>${title} API</h1>
${(document.info.description ?? '').split('\n\n').map(paragraph).join('')}
<p>The same for machines: <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1).</p>
<div id="tools" hidden>
<label>Search <input id="search" type="search" autocomplete="off" placeholder="press / to search"></label>
<label>Token <input id="token" type="password" autocomplete="off" placeholder="to send what only reads"></label>
</div>
<nav>${tags.map(([tag]) => link(tag)).join('')}${link('schemas')}</nav>
${tags.map(([tag, entries]) => section(tag, entries.map((entry) => operationHtml(base, entry, components)).join('\n'))).join('\n')}
${section('schemas', Object.entries(components).map(componentHtml).join('\n'))}
</body></html>
`;
};
