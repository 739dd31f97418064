/** Slack asks once whether somebody is there: what it sends is answered with what it wants back, and goes no further. */
import { z } from 'zod';
import type { GivenRequest } from './verify/signing.ts';

const verification = z.object({ type: z.literal('url_verification'), challenge: z.string().max(1_000) });

/** What is to be answered; undefined where it does not ask. */
export const slackChallenge = ({ body }: GivenRequest): string | undefined => {
  try {
    return verification.safeParse(JSON.parse(body.toString('utf8'))).data?.challenge;
  } catch {
    return undefined;
  }
};
