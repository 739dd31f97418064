/** Which entries of the audit log are shown, as it stands in the address. */
import type { Query } from '../shell/query.ts';

export const auditFilters = ['action', 'actor', 'subject', 'session'] as const;
export type AuditFilters = { readonly [Name in (typeof auditFilters)[number]]?: string };

export const readAuditFilters = (query: Query): AuditFilters => Object.fromEntries(auditFilters.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

export const auditQueryOf = (filters: AuditFilters): Query => ({
  tab: 'audit',
  ...Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))),
});
