/**
 * Components as readers and generators of clients want them: only those that are used, under plain names, and without
 * references that lead nowhere.
 *
 * The schema library makes each schema twice (`X` as answered, `XInput` as asked), and gives the one schema that refers
 * to itself (any JSON) a place that is no component.
 */
type Node = { readonly [key: string]: unknown };
export type Components = { readonly [name: string]: Node };

const prefix = '#/components/schemas/';
/** What stands where a schema is "any JSON". */
const isAnyJson = (reference: string): boolean => /__shared|#\/\$defs\/|\/(?:__)?schema\d+$/.test(reference.slice(1));

const mapReferences = (value: unknown, change: (reference: string) => Node): unknown => {
  if (Array.isArray(value)) return value.map((entry) => mapReferences(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as Node)['$ref'];
  if (typeof reference === 'string') return change(reference);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapReferences(entry, change)]));
};

/** The components that `root` leads to, directly or by others. */
const reached = (root: unknown, components: Components): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    mapReferences(value, (reference) => {
      const name = reference.slice(prefix.length);
      if (!found.has(name) && components[name]) {
        found.add(name);
        visit(components[name]);
      }
      return {};
    });
  };
  visit(root);
  return found;
};

export const tidyComponents = <Document extends { readonly paths?: unknown; readonly components?: { readonly schemas?: unknown } }>(
  document: Document,
): Document => {
  const components = (document.components?.schemas ?? {}) as Components;
  const used = reached(document.paths, components);
  const nameOf = (name: string): string => {
    const plain = name.replace(/Input$/, '');
    return used.has(plain) ? name : plain;
  };
  const change = (reference: string): Node => (isAnyJson(reference) ? {} : { $ref: `${prefix}${nameOf(reference.slice(prefix.length))}` });
  const schemas = Object.fromEntries([...used].toSorted().map((name) => [nameOf(name), mapReferences(components[name], change)]));
  return { ...document, paths: mapReferences(document.paths, change), components: { ...document.components, schemas } };
};
