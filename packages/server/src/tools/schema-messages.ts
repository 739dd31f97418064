/** What the schema checker and its thread say to each other. */
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';

/** Both as JSON. Without `input`: does the schema compile? */
export type SchemaQuestion = { readonly schema: string; readonly input?: string };

export type SchemaAnswer = { readonly kind: 'ready' } | { readonly kind: 'compiled' } | { readonly kind: 'done'; readonly faults: readonly Fault[] };
