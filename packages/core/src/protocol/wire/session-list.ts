/** The list of sessions: what is asked for, and a page of it. */
import { z } from 'zod';
import { codePoints } from '../content.ts';
import { limits } from './limits.ts';
import { pageOf, pageQuery, sessionResource } from './sessions.ts';

const moment = z.coerce.number().int().min(0).optional();

const metadataPrefix = 'metadata.';
/** What a list of sessions is asked for by `metadata.<key>=<value>`: each of these members must be in the metadata, with this value. */
export type MetadataFilter = { readonly key: string; readonly value: string };

export const metadataFiltersOf = (query: object): readonly MetadataFilter[] =>
  Object.entries(query).flatMap(([name, value]) => (name.startsWith(metadataPrefix) ? [{ key: name.slice(metadataPrefix.length), value: String(value) }] : []));

const filtersMetadata = (query: object, { issues }: { readonly issues: z.core.$ZodRawIssue[] }): void => {
  const names = Object.keys(query).filter((name) => name.startsWith(metadataPrefix));
  const refuse = (message: string, path: string[]): void => void issues.push({ code: 'custom', message, path, input: query });
  if (names.length > limits.metadataFilters) refuse(`at most ${limits.metadataFilters} filters of metadata`, []);
  for (const name of names.slice(0, limits.metadataFilters)) {
    if (name === metadataPrefix) refuse('names no member: metadata.<key>=<value>', [name]);
    else if (typeof (query as Readonly<Record<string, unknown>>)[name] !== 'string') refuse('given more than once', [name]);
  }
};

export const sessionsQuery = pageQuery
  .extend({
    status: z.enum(['active', 'archived', 'all']).default('active'),
    /**
     * `me` (with what mini-tools placed in spaces for one), `user:<id>`, `app:<id>`, `minitool:<id>`, or, for admins, `all`; without it all
     * that the caller may read as a member.
     */
    owner: z
      .string()
      .regex(/^(?:me|all|(?:user|app|minitool):.+)$/, { error: 'me, all, user:<id>, app:<id> or minitool:<id>' })
      .optional(),
    space: z.string().optional(),
    container: z.string().optional(),
    q: z.string().optional(),
    /** What they do. */
    activity: z.enum(['idle', 'running', 'requires_action']).optional(),
    /** The id of what they were made for. */
    target: z.string().optional(),
    /** What somebody said in them. */
    text: z
      .string()
      .refine((text) => codePoints(text) <= limits.searchCharacters, { error: `at most ${limits.searchCharacters} characters` })
      .optional(),
    /** They used as much or more, with all that they delegated, by what was reported, whatever the currency. */
    min_cost: z.coerce.number().min(0).optional(),
    /** Unix milliseconds: not before `_from`, and before `_before`. */
    created_from: moment,
    created_before: moment,
    updated_from: moment,
    updated_before: moment,
    order: z.enum(['created', 'updated']).default('created'),
  })
  .catchall(z.unknown())
  .superRefine(filtersMetadata);

export const sessionsPage = pageOf(sessionResource).extend({
  /** With `text`, and where the list goes on: the sessions that were made (or changed, by the order) before this have yet to be looked through. */
  searched_until: z.int().optional(),
});

export type SessionsPage = z.infer<typeof sessionsPage>;
