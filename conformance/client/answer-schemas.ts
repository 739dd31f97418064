/** Checks answers against the server's own OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Content = { readonly [type: string]: { readonly schema: object } };
type Operation = { readonly responses: { readonly [status: string]: { readonly content?: Content } } };
export type OpenApi = {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: object } };
};

/** Says what is wrong with an answer, or nothing. */
export type CheckAnswer = (answer: {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}) => string | undefined;

const patternOf = (template: string): RegExp => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);

export const createAnswerCheck = (document: OpenApi): CheckAnswer => {
  // Formats are for readers: the base64 of a picture need not be decoded once more here.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', components: document.components });
  // Literal paths before those with parameters in their place.
  const routes = Object.entries(document.paths)
    .map(([template, methods]) => ({ template, pattern: patternOf(template), methods }))
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length);
  const known = new Map<string, ValidateFunction>();
  const validatorOf = (name: string, schema: object): ValidateFunction => {
    const found = known.get(name) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
    known.set(name, found);
    return found;
  };
  return ({ method, path, status, type, body }) => {
    const route = routes.find((entry) => entry.pattern.test(path) && entry.methods[method.toLowerCase()]);
    const operation = route?.methods[method.toLowerCase()];
    if (!route || !operation) return status === 404 ? undefined : `${method} ${path} is not in the document`;
    const response = operation.responses[status] ?? (status >= 400 ? operation.responses['default'] : undefined);
    if (!response) return `${method} ${route.template} may not be answered by ${status}`;
    const media = type.split(';', 1)[0] ?? '';
    if (!response.content) return body === undefined ? undefined : `${method} ${route.template} ${status} must have no body`;
    const content = response.content[media];
    if (!content) return `${method} ${route.template} ${status} may not be of type ${media}`;
    const validate = validatorOf(`${method} ${route.template} ${status} ${media}`, content.schema);
    return validate(body) ? undefined : `${method} ${route.template} ${status}: ${JSON.stringify(validate.errors)}`;
  };
};
