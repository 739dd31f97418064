/** Where the token of copied commands is kept; signing out forgets it. */
export const commandTokenKey = 'turnkeeper.command-token';
