/** Signing in, on the wire. */
import { z } from 'zod';

export const userResource = z.object({ id: z.string(), username: z.string(), displayName: z.string(), roles: z.array(z.string()) });
/** A single-use sign-in link's token, or a token that is already valid: both give a token for this browser. */
export const signInLinkRequest = z.object({ token: z.string().min(1) });
export const signInAnswer = z.object({ token: z.string(), user: userResource });
export const meAnswer = z.object({ user: userResource });

export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  error: z.string(),
  request_id: z.string(),
});
export type UserResource = z.infer<typeof userResource>;
