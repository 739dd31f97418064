/** JSON Schemas as people read them: shapes, as TypeScript would say them, with references as links. */
import { escapeHtml } from '../pages/escape-html.ts';

export type Schema = { readonly [keyword: string]: unknown };

export const schemaAnchor = (name: string): string => `schema-${name.replace(/[^A-Za-z0-9_-]/g, '')}`;

const prefix = '#/components/schemas/';
const bounds: readonly (readonly [string, string])[] = [
  ['format', ''],
  ['minimum', '≥ '],
  ['maximum', '≤ '],
  ['minLength', 'characters ≥ '],
  ['maxLength', 'characters ≤ '],
  ['minItems', 'items ≥ '],
  ['maxItems', 'items ≤ '],
  ['pattern', 'like '],
];

/** What is said of a value beside its type. */
const remark = (schema: Schema): string => {
  const said = [
    ...(typeof schema['description'] === 'string' ? [schema['description']] : []),
    ...bounds.flatMap(([keyword, words]) => (schema[keyword] === undefined ? [] : [`${words}${String(schema[keyword])}`])),
    ...(schema['default'] === undefined ? [] : [`default ${JSON.stringify(schema['default'])}`]),
  ];
  return said.length === 0 ? '' : ` <i>// ${escapeHtml(said.join(', '))}</i>`;
};

const reference = (text: string): string => {
  const name = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return `<a href="#${schemaAnchor(name)}">${escapeHtml(name)}</a>`;
};

const schemasIn = (value: unknown): readonly Schema[] => (Array.isArray(value) ? (value as readonly Schema[]) : []);
const pad = (depth: number): string => '  '.repeat(depth);

const objectHtml = (schema: Schema, depth: number): string => {
  const required = new Set(schema['required'] as readonly string[] | undefined);
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>).map(
    ([name, member]) => `${pad(depth + 1)}${escapeHtml(name)}${required.has(name) ? '' : '?'}: ${typeHtml(member, depth + 1)};${remark(member)}`,
  );
  const others = schema['additionalProperties'];
  if (typeof others === 'object' && others !== null) members.push(`${pad(depth + 1)}[name: string]: ${typeHtml(others as Schema, depth + 1)};`);
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${pad(depth)}}`;
};

const arrayHtml = (schema: Schema, depth: number): string => {
  const item = typeHtml((schema['items'] ?? {}) as Schema, depth);
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
};

/** The type of a schema; its inner lines are indented from `depth` on. */
const typeHtml = (schema: Schema, depth: number): string => {
  if (typeof schema['$ref'] === 'string') return reference(schema['$ref']);
  if ('const' in schema) return escapeHtml(JSON.stringify(schema['const']));
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => escapeHtml(JSON.stringify(value))).join(' | ');
  const choices = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])];
  if (choices.length > 0) return choices.map((choice) => typeHtml(choice, depth)).join(' | ');
  const parts = schemasIn(schema['allOf']);
  if (parts.length > 0) return parts.map((part) => typeHtml(part, depth)).join(' & ');
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => typeHtml({ ...schema, type: one }, depth)).join(' | ');
  if (type === 'object' || schema['properties']) return objectHtml(schema, depth);
  if (type === 'array') return arrayHtml(schema, depth);
  return typeof type === 'string' ? escapeHtml(type) : 'any';
};

export const schemaHtml = (schema: Schema | undefined): string => `${typeHtml(schema ?? {}, 0)}${remark(schema ?? {})}`;

/** The same, with the shape of what it refers to, so that nobody needs to look elsewhere for it. */
export const shapeHtml = (schema: Schema | undefined, components: { readonly [name: string]: Schema }): string => {
  const name = typeof schema?.['$ref'] === 'string' ? schema['$ref'].slice(prefix.length) : undefined;
  const found = name === undefined ? undefined : components[name];
  return found ? `${schemaHtml(schema)} ${schemaHtml(found)}` : schemaHtml(schema);
};
