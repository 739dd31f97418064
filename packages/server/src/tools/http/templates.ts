/**
 * Fills a call's input into the request of an HTTP tool, where the definition has `{{input.a.b}}`.
 *
 * H1 What a model wrote is text where it lands, never syntax: URL-encoded in path and query, one line in a header, a JSON
 *    value within a JSON body. A segment of the path is never empty, `.` or `..` by it: that would be another resource.
 * H2 A missing member (or null) leaves out what it was the whole value of: a parameter of the query, a header, a member
 *    of the body. Within a longer text it is nothing; in the path the call is refused.
 * H9 A secret is put in where the definition refers to it, and nowhere else: what a model wrote is never taken for a
 *    reference, and a secret's value is never taken for a template.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import { secretRefName } from '@turnkeeper/core/protocol/secret-refs';

const template = /\{\{\s*input((?:\.[^\s.{}]+)*)\s*\}\}/g;
const wholeTemplate = /^\s*\{\{\s*input((?:\.[^\s.{}]+)*)\s*\}\}\s*$/;

/** The input cannot be put where the definition wants it; the message says why, for the model. */
export class InputUnfit extends Error {
  override readonly name = 'InputUnfit';
}

/** The member that a template names, e.g. `.order.id`; undefined when it is missing or null. */
const memberOf = (input: JsonObject, path: string): Json | undefined => {
  let value: Json = input;
  for (const name of path.split('.').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as { readonly [name: string]: Json })[name] as Json;
  }
  return value ?? undefined;
};

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const fillText = (text: string, input: JsonObject, encode: (value: string, path: string) => string): string =>
  text.replace(template, (_whole, path: string) => {
    const value = memberOf(input, path);
    return encode(value === undefined ? '' : asText(value), path);
  });

const isMissing = (text: string, input: JsonObject): boolean => {
  const whole = wholeTemplate.exec(text);
  return whole !== null && memberOf(input, whole[1] ?? '') === undefined;
};

const fillSegment = (segment: string, input: JsonObject): string => {
  if (!segment.includes('{{')) return segment;
  const filled = fillText(segment, input, (value, path) => {
    if (value === '') throw new InputUnfit(`The call needs \`${path.slice(1) || 'input'}\`: it is part of the request's path.`);
    return encodeURIComponent(value);
  });
  if (filled === '.' || filled === '..') throw new InputUnfit(`${JSON.stringify(filled)} cannot be a part of the request's path.`);
  return filled;
};

const fillParameter = (parameter: string, input: JsonObject): readonly string[] => {
  const at = parameter.indexOf('=');
  if (at >= 0 && isMissing(parameter.slice(at + 1), input)) return [];
  return [fillText(parameter, input, encodeURIComponent)];
};

/** The address with its templates filled in; a fragment is left out. */
export const fillUrl = (url: string, input: JsonObject): string => {
  const [, origin = '', path = '', query] = /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const filledPath = path
    .split('/')
    .map((segment) => fillSegment(segment, input))
    .join('/');
  const filledQuery = query === undefined ? [] : query.split('&').flatMap((parameter) => fillParameter(parameter, input));
  return `${origin}${filledPath || '/'}${filledQuery.length > 0 ? `?${filledQuery.join('&')}` : ''}`;
};

/** A header's value, or undefined when it is left out. */
export const fillHeader = (name: string, value: string, input: JsonObject): string | undefined => {
  if (isMissing(value, input)) return undefined;
  const filled = fillText(value, input, (text) => text);
  // What lies outside of Latin-1 could not be sent, and a control character could begin another header.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(filled)) throw new InputUnfit(`The value of the header ${name} holds a character that headers cannot have.`);
  return filled;
};

/** The value of a secret, by its name. */
export type SecretOf = (name: string) => string;

/** The body with its templates and secrets filled in; a template that is a whole text keeps the type of what it stands for. */
export const fillBody = (body: Json, input: JsonObject, secretOf: SecretOf): Json | undefined => {
  if (typeof body === 'string') {
    const whole = wholeTemplate.exec(body);
    return whole ? memberOf(input, whole[1] ?? '') : fillText(body, input, (text) => text);
  }
  if (typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) return body.map((entry) => fillBody(entry, input, secretOf) ?? null);
  const secret = secretRefName(body);
  if (secret !== undefined) return secretOf(secret);
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, member]) => {
      const filled = fillBody(member, input, secretOf);
      return filled === undefined ? [] : [[name, filled] as const];
    }),
  );
};

/** A body that is sent as a form: what is filled in is URL-encoded. */
export const fillForm = (body: Json, input: JsonObject, secretOf: SecretOf): string => {
  if (typeof body === 'string') return fillText(body, input, encodeURIComponent);
  const filled = fillBody(body, input, secretOf) ?? {};
  // A secret that is the whole form.
  if (typeof filled === 'string') return filled;
  const members = Object.entries(filled as JsonObject);
  return new URLSearchParams(members.map(([name, value]) => [name, asText(value)])).toString();
};
