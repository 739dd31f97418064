/**
 * Requests against their schemas: every fault is listed with a JSON pointer, and answered as 422.
 *
 * Members that nobody knows are left out where the schema is not strict: existing clients send some. Not so those that are
 * nearly the name of one that is missing: they were meant to be it, and what was meant would not be done.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { nearestName } from '@turnkeeper/core/protocol/nearest-name';
import { type Fault, mostFaults, pointerOf, tooManyValues, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';

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

/** Members that another branch of the union knows: they are no slip of the pen, they belong to the other shape. */
const rivalFaults = (
  branch: readonly Issue[],
  branches: readonly (readonly Issue[])[],
  path: readonly PropertyKey[],
  known: KnownMembers,
): readonly Fault[] => {
  const unknownIn = (issues: readonly Issue[]) => issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? [issue.keys] : []));
  const others = branches.filter((other) => other !== branch).flatMap(unknownIn);
  return unknownIn(branch)
    .flat()
    .slice(0, mostFaults)
    .flatMap((name) => {
      const other = others.find((keys) => known.get(keys)?.includes(name));
      return other ? [{ pointer: pointerOf([...path, name]), detail: `either ${name} or ${other.slice(0, 3).join(', ')}, not both` }] : [];
    });
};

const addFaults = (issue: Issue, base: readonly PropertyKey[], known: KnownMembers, faults: Fault[]): void => {
  if (faults.length >= mostFaults) return;
  const path = [...base, ...issue.path];
  const branch = issue.code === 'invalid_union' ? nearest(issue.errors) : [];
  const rivals = issue.code === 'invalid_union' ? rivalFaults(branch, issue.errors, path, known) : [];
  if (rivals.length > 0) faults.push(...rivals);
  else if (branch.length > 0) for (const inner of branch) addFaults(inner, path, known, faults);
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

type Definition = { readonly shape?: object; readonly options?: readonly unknown[] };
const definitionOf = (schema: unknown): Definition => (schema as { readonly _zod?: { readonly def?: Definition } } | undefined)?._zod?.def ?? {};
const shapeOf = (schema: unknown): object => definitionOf(schema).shape ?? {};

/** Of a union, those of the branch that has most of what was given. */
const membersOf = (schema: unknown, data: object): readonly string[] => {
  const shapes = [schema, ...(definitionOf(schema).options ?? [])].map((each) => Object.keys(shapeOf(each)));
  const shared = (members: readonly string[]): number => members.filter((name) => Object.hasOwn(data, name)).length;
  return shapes.filter((members) => members.length > 0).toSorted((a, b) => shared(b) - shared(a))[0] ?? [];
};

/**
 * Of a part that may hold members that nobody knows: those that were meant to be others, one letter off. Names of four letters are
 * near each other without meaning each other (`next` and `text`).
 */
const misspelt = (schema: unknown, data: unknown): readonly Fault[] => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  const members = membersOf(schema, data);
  const missingMembers = members.filter((name) => !Object.hasOwn(data, name));
  const longer = missingMembers.filter((name) => name.length > 4);
  return Object.keys(data)
    .slice(0, mostFaults)
    .filter((name) => !members.includes(name) && nearestName(name, name.length > 4 ? missingMembers : longer, 1) !== undefined)
    .map((name) => unknownMember([], name, missingMembers));
};

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
    const value = given(part, data);
    const result = schema.safeParse(value, { error });
    const near = part === 'body' || part === 'query' ? misspelt(schema, value) : [];
    if (result.success && near.length === 0) return { value: result.data };
    const faults: Fault[] = [];
    for (const issue of result.error?.issues ?? []) addFaults(issue, [], known, faults);
    const told = new Set(faults.map(({ pointer }) => pointer));
    const slips = near.filter(({ pointer }) => !told.has(pointer));
    throw refused(part, [...slips, ...faults]);
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
