/**
 * Where the requests of HTTP tools may be filled in from a call's input.
 *
 * F4 Whom a request goes to is fixed by the definition: what a model writes gets into the path, the query, the headers
 *    and the body, never into scheme, host or port.
 */

/** `{{input}}` or a member of it: `{{input.order.id}}`. */
const template = /\{\{\s*input(?:\.[^\s.{}]+)*\s*\}\}/g;
/** Up to the path: no template, no credentials, and no backslash (which parsers of addresses take for a slash). */
const literalOrigin = /^https?:\/\/(?:\[[0-9a-fA-F:.]+\]|[^\s/?#\\@{}:[\]]+)(?::[0-9]{1,5})?(?=[/?#]|$)/;

export const soundTemplates = 'a template is {{input}} or a member of it, such as {{input.order.id}}';

export const hasLiteralOrigin = (url: string): boolean => literalOrigin.test(url);

/** True when every `{{` in the value's texts begins a template that can be filled in: others would be sent as they stand. */
export const hasSoundTemplates = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.replace(template, '').includes('{{');
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasSoundTemplates);
};
