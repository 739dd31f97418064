/** Addresses of the API. */
export const api = '/api/v1';
export const sessionsPath = `${api}/agent-sessions`;
export const sessionPath = (sessionId: string): string => `${sessionsPath}/${encodeURIComponent(sessionId)}`;
export const turnsPath = (sessionId: string): string => `${sessionPath(sessionId)}/turns`;
export const turnPath = (sessionId: string, turnId: string): string => `${turnsPath(sessionId)}/${encodeURIComponent(turnId)}`;
export const agentPath = (agentId: string): string => `${api}/agents/${encodeURIComponent(agentId)}`;

/** A call that needs an idempotency key, and may be aborted. */
export type Keyed = { readonly idempotencyKey: string; readonly signal?: AbortSignal };
export type Cancellable = { readonly signal?: AbortSignal };
/** A page of a list; `next_offset` is null on the last one. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next_offset: number | null };
export type PageQuery = { readonly offset?: number; readonly limit?: number };
