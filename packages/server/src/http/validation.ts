/**
 * Requests against their schemas: every fault is listed with a JSON pointer, and answered as 422.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Fault, mostFaults, pointerOf, tooManyValues, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { nearestName } from './nearest-name.ts';

type Issue = z.core.$ZodIssue;

/** The members that an object may have, by the list of those that it may not: issues do not say it themselves. */
type KnownMembers = WeakMap<readonly string[], readonly string[]>;

const missing = 'is missing';

const missingCount = (branch: readonly Issue[]): number => branch.filter((issue) => issue.message === missing).length;

/** The branch of a union that came nearest: whose members are all there, then the one with the fewest faults. */
const nearest = (branches: readonly (readonly Issue[])[]): readonly Issue[] =>
  branches.toSorted((a, b) => missingCount(a) - missingCount(b) || a.length - b.length)[0] ?? [];

const unknownMember = (path: readonly PropertyKey[], name: string, known: readonly string[]): Fault => {
  const meant = nearestName(name, known);
  return { pointer: pointerOf([...path, name]), detail: `unknown member${meant === undefined ? '' : `; did you mean ${meant}?`}` };
};

const addFaults = (issue: Issue, base: readonly PropertyKey[], known: KnownMembers, faults: Fault[]): void => {
  if (faults.length >= mostFaults) return;
  const path = [...base, ...issue.path];
  const branch = issue.code === 'invalid_union' ? nearest(issue.errors) : [];
  if (branch.length > 0) for (const inner of branch) addFaults(inner, path, known, faults);
  else if (issue.code === 'unrecognized_keys')
    for (const name of issue.keys.slice(0, mostFaults)) faults.push(unknownMember(path, name, known.get(issue.keys) ?? []));
  else faults.push({ pointer: pointerOf(path), detail: issue.message });
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

const shapeOf = (schema: unknown): object => (schema as { readonly _zod?: { readonly def?: { readonly shape?: object } } } | undefined)?._zod?.def?.shape ?? {};

/** Fastify's validator: throws instead of handing over Ajv-like errors, so that one handler answers all refusals. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = parts[httpPart ?? ''] ?? 'body';
  return (data: unknown) => {
    // The parser has looked through bodies already.
    const unfit = part === 'body' ? [] : wireFaults(data);
    if (unfit.length > 0) throw refused(part, unfit);
    const known: KnownMembers = new WeakMap();
    const error = (issue: z.core.$ZodRawIssue): string | undefined => {
      // Made here: the library's own text would hold every name, and there may be thousands.
      if (issue.code === 'unrecognized_keys') {
        known.set(issue.keys, Object.keys(shapeOf(issue.inst)));
        return 'unknown members';
      }
      return issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value') ? missing : undefined;
    };
    const result = schema.safeParse(given(part, data), { error });
    if (result.success) return { value: result.data };
    const faults: Fault[] = [];
    for (const issue of result.error.issues) addFaults(issue, [], known, faults);
    throw refused(part, faults);
  };
};

export const refuseTooManyValues = (): never => {
  throw refused('body', [tooManyValues]);
};

/** Throws 422 for a body that holds what cannot be kept. */
export const checkBody = (body: unknown): void => {
  const unfit = wireFaults(body);
  if (unfit.length > 0) throw refused('body', unfit);
};
