/** Addresses of the API. */
export const api = '/api/v1';
/** One part of a path. */
export const part = encodeURIComponent;
export const sessionsPath = `${api}/agent-sessions`;
export const sessionPath = (sessionId: string): string => `${sessionsPath}/${part(sessionId)}`;
/** Of any session below another, however deep. */
export const childPath = (sessionId: string, childId: string): string => `${sessionPath(sessionId)}/subagents/${part(childId)}`;
/** Of a turn of one of those. */
export const childTurnPath = (sessionId: string, childId: string, turnId: string): string => `${childPath(sessionId, childId)}/turns/${part(turnId)}`;
export const turnsPath = (sessionId: string): string => `${sessionPath(sessionId)}/turns`;
export const turnPath = (sessionId: string, turnId: string): string => `${turnsPath(sessionId)}/${part(turnId)}`;
export const agentPath = (agentId: string): string => `${api}/agents/${part(agentId)}`;

/** A call that needs an idempotency key, and may be aborted. */
export type Keyed = { readonly idempotencyKey: string; readonly signal?: AbortSignal };
export type Cancellable = { readonly signal?: AbortSignal };
/** `attempts`: how often it is tried at most; 1 for those that ask again by themselves. */
export type Retried = Cancellable & { readonly attempts?: number };
/** A page of a list; `next_offset` is null on the last one. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next_offset: number | null };
export type PageQuery = { readonly offset?: number; readonly limit?: number };
