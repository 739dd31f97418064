/** Tokens for browsers on the wire: short-lived, each for one session. */
import { z } from 'zod';

export const clientScopes = ['invoke', 'read', 'interact', 'cancel'] as const;
const clientScope = z.enum(clientScopes);

/** Strict: misspelt `scopes` would open more than was meant. */
export const createClientTokenRequest = z.strictObject({
  scopes: z
    .array(clientScope)
    .min(1)
    .max(clientScopes.length)
    .default(['read', 'invoke', 'interact'])
    .transform((scopes) => [...new Set(scopes)]),
  expiresInSeconds: z.int().min(60).max(86_400).default(900),
});

/** `token` is shown here and never again. It ends earlier where the credential that made it does. */
export const createdClientToken = z.object({ token: z.string(), session_id: z.string(), scopes: z.array(clientScope), expires_at: z.int() });

export type ClientScope = z.infer<typeof clientScope>;
export type CreateClientTokenRequest = z.infer<typeof createClientTokenRequest>;
export type CreatedClientToken = z.infer<typeof createdClientToken>;
