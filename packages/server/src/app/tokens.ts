/** The texts by which callers are known, and how they are kept. */
import { createHash, randomBytes } from 'node:crypto';

/** Tokens are long and random: a plain hash cannot be turned back. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `tk` = a user's token, `tkl` = a sign-in link's, `tkk` = an application's key, `tkc` = a client's token for one session. */
export type TokenPrefix = 'tk' | 'tkl' | 'tkk' | 'tkc';

/** 32 random bytes behind a readable prefix. */
export const newToken = (prefix: TokenPrefix): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

/** Enough to tell keys apart, and nothing to guess the rest by. */
export const shownPrefix = (token: string): string => token.slice(0, 10);

/** The name of the token that the environment gives the first admin: whatever is called so goes when that one changes. */
export const givenTokenName = 'TURNKEEPER_ADMIN_TOKEN';
