/**
 * What all verifications share.
 *
 * VY1 What is compared with a secret, or with what only who has the secret can make, is compared in constant time.
 * VY2 A time that the sender has signed is at most 5 minutes away, before or after: what is older may be a replay.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A request as it came in. Header names in lowercase. */
export type GivenRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/** True where the request comes from who has the secret. `now`: Unix ms. */
export type Verifier = (request: GivenRequest, secret: string, now: number) => boolean;

const toleranceMs = 300_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Without telling by its time where they differ, nor how long they are (VY1). */
export const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** HMAC-SHA256 of the parts, one after another. */
export const hmac = (key: string | Buffer, encoding: 'hex' | 'base64', ...parts: readonly (string | Buffer)[]): string => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest(encoding);
};

/** Unix seconds as senders write them (VY2). */
export const isRecent = (seconds: string | undefined, now: number): boolean =>
  seconds !== undefined && /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1_000) <= toleranceMs;
