/**
 * How often a password may be tried.
 *
 * PA1 A try is counted before any work is done and whatever comes of it: many at once are as many, and success is no way
 *     to try on. Signing in and giving one's present password count together.
 * PA2 It counts for the name (in whatever case) from its address, so that nobody locks a person out from elsewhere; and for
 *     the address, whatever the names, so that one address does not try them all.
 */
export type Attempt = { readonly username: string; readonly address: string };

/** Throws `rate_limited`. */
export type PasswordAttempts = (attempt: Attempt) => void;

/** `take` counts under a key, and throws beyond its limit. */
type Counter = { readonly take: (key: string) => void };

export const createPasswordAttempts =
  ({ byName, byAddress }: { readonly byName: Counter; readonly byAddress: Counter }): PasswordAttempts =>
  ({ username, address }) => {
    byAddress.take(address);
    byName.take(`${address} ${username.toLowerCase()}`);
  };
