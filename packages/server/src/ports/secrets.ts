/**
 * Port: secrets by reference. Definitions name a secret; its value is looked up when it is used.
 *
 * L4 A value is never kept longer than what it is used for, and never shown: whatever a tool gives back, says or throws
 *    has the values of the secrets that it used replaced by their names.
 */
export interface Secrets {
  /** The value of the secret; undefined = there is none of that name. */
  resolve(name: string): Promise<string | undefined>;
}

export const noSecrets: Secrets = { resolve: async () => undefined };
