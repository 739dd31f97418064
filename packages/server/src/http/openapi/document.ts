/** The OpenAPI 3.1 document, made of the schemas that validate requests. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { createComponents } from './components.ts';
import { bytesMark, keyMark, streamMark } from './operation.ts';
import { tidyComponents } from './tidy-components.ts';

const about = `Sessions with agents, turn by turn: durable, in order, streamed.

Every call but those of signing in carries a user’s token, \`Authorization: Bearer <token>\`, or an application’s key,
\`X-API-Key: <key>\`; either header takes either. A browser may be given a token of its own, for one session. Errors are problem documents (RFC 9457); tell them apart by \`code\`. Calls
that take an \`Idempotency-Key\` may be repeated with the same key: nothing happens twice.`;

const keyParameter = {
  type: 'string',
  minLength: 1,
  maxLength: limits.idempotencyKeyCharacters,
  description: 'A stable id of this one request, the same on every retry. A repeated key gives the original answer again, with `Idempotency-Replayed: true`.',
};
const nameParameter = { type: 'string', description: 'The name of the file, percent-encoded UTF-8.' };
/** A body that is not JSON: it is not validated, and stands in the document alone. */
const bytesBody = { body: { type: 'string', format: 'binary', description: 'The bytes of the file.' }, consumes: ['application/octet-stream'] };
const lastEventParameter = { type: 'string', description: 'The cursor of the last event seen; of this and `after` the newer one counts.' };

const headersOf = (schema: Readonly<Record<string, unknown>>) => {
  const key = schema[keyMark];
  const name = schema[bytesMark] === undefined ? {} : { 'X-File-Name': nameParameter };
  const properties = {
    ...(key === undefined ? {} : { 'Idempotency-Key': keyParameter }),
    ...name,
    ...(schema[streamMark] === undefined ? {} : { 'Last-Event-ID': lastEventParameter }),
  };
  if (Object.keys(properties).length === 0) return {};
  return { headers: { type: 'object', properties, required: key === 'required' ? ['Idempotency-Key'] : [] } };
};

/**
 * What the schema library says beyond what we promise: objects may get further members in later versions, and that a
 * number is one that JSON readers can hold need not be said each time.
 */
const override = ({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void => {
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  delete jsonSchema['propertyNames'];
};

export const documentOptions = (publicUrl: string | undefined): FastifyDynamicSwaggerOptions => {
  const options = { schemaRegistry: createComponents(), zodToJsonConfig: { override } };
  const transform = createJsonSchemaTransform(options);
  const transformObject = createJsonSchemaTransformObject(options);
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Turnkeeper', version: '1', description: about },
      ...(publicUrl === undefined ? {} : { servers: [{ url: publicUrl }] }),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A user’s token.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An application’s key.' },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
    },
    transform: (document) => {
      const made = transform(document as Parameters<typeof transform>[0]);
      const { [keyMark]: _key, [streamMark]: _stream, [bytesMark]: takesBytes, ...schema } = (made.schema ?? {}) as Record<string, unknown>;
      return {
        url: made.url,
        schema: { ...schema, ...(takesBytes === undefined ? {} : bytesBody), ...headersOf((document.schema ?? {}) as Record<string, unknown>) },
      };
    },
    transformObject: (document) => tidyComponents(transformObject(document as Parameters<typeof transformObject>[0])),
  };
};
