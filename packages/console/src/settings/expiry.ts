/** How long a credential is good for. */
import type { TextKey } from '../i18n/en.ts';

const day = 86_400_000;

export const expiries = [
  { id: '1d', text: 'expiryDay', ms: day },
  { id: '7d', text: 'expiryWeek', ms: 7 * day },
  { id: '30d', text: 'expiryMonth', ms: 30 * day },
  { id: '90d', text: 'expiryQuarter', ms: 90 * day },
  { id: '365d', text: 'expiryYear', ms: 365 * day },
  { id: 'never', text: 'expiryNever', ms: undefined },
] as const satisfies readonly { readonly id: string; readonly text: TextKey; readonly ms: number | undefined }[];

export type Expiry = (typeof expiries)[number]['id'];

/** Absent for one that never ends. */
export const expiresAt = (chosen: string, now: number): { readonly expiresAt?: number } => {
  const ms = expiries.find(({ id }) => id === chosen)?.ms;
  return ms === undefined ? {} : { expiresAt: now + ms };
};
