/**
 * Requests against their schemas: every fault is listed with a JSON pointer, and answered as 422.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Fault, mostFaults, pointerOf, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The branch of a union that came nearest: the one with the fewest faults. */
const nearest = (branches: readonly (readonly Issue[])[]): readonly Issue[] => branches.toSorted((a, b) => a.length - b.length)[0] ?? [];

const faultsOf = (issue: Issue, base: readonly PropertyKey[] = []): readonly Fault[] => {
  const path = [...base, ...issue.path];
  const branch = issue.code === 'invalid_union' ? nearest(issue.errors) : [];
  if (branch.length > 0) return branch.flatMap((inner) => faultsOf(inner, path));
  return [{ pointer: pointerOf(path), detail: issue.message }];
};

const refused = (part: string, faults: readonly Fault[]): TurnkeeperError => {
  const errors = faults.slice(0, mostFaults).map((fault) => (part === 'body' ? fault : { ...fault, in: part }));
  const summary = errors
    .slice(0, 3)
    .map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`))
    .join('; ');
  return new TurnkeeperError('validation_failed', `The request's ${part} does not match its schema: ${summary}`, { errors });
};

const parts: Readonly<Record<string, string>> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' };

/** `?limit=` says nothing, as existing clients send it. */
const withoutBlanks = (query: object): object => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

const given = (part: string, data: unknown): unknown => {
  // No body at all is an empty one: existing clients send `{}` or nothing.
  if (part === 'body') return data ?? {};
  return part === 'query' ? withoutBlanks(data as object) : data;
};

/** Fastify's validator: throws instead of handing over Ajv-like errors, so that one handler answers all refusals. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = parts[httpPart ?? ''] ?? 'body';
  return (data: unknown) => {
    // The parser has looked through bodies already.
    const unfit = part === 'body' ? [] : wireFaults(data);
    if (unfit.length > 0) throw refused(part, unfit);
    const result = schema.safeParse(given(part, data));
    if (!result.success)
      throw refused(
        part,
        result.error.issues.flatMap((issue) => faultsOf(issue)),
      );
    return { value: result.data };
  };
};

/** Throws 422 for a body that holds what cannot be kept. */
export const checkBody = (body: unknown): void => {
  const unfit = wireFaults(body);
  if (unfit.length > 0) throw refused('body', unfit);
};
