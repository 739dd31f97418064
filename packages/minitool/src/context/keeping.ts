/** What a mini-tool keeps: values, settings that people have made, secrets. */

/** Private values by key, JSON; a value is durable when `set` resolves. At most 1 MB a value and 50 MB in all. Not for secrets. */
export interface Storage {
  get<T = unknown>(key: string): Promise<T | undefined>;
  set<T = unknown>(key: string, value: T): Promise<void>;
  delete(key: string): Promise<void>;
  clear(): Promise<void>;
  keys(): Promise<string[]>;
}

/** What people have set in the fields of `settings.fields`. After a change the mini-tool is loaded again. */
export interface Settings {
  get<T = unknown>(key: string): T | undefined;
  all(): Record<string, unknown>;
}

/** Encrypted, and only names that `permissions.secrets` declares; others are refused with `permission_denied`. */
export interface Secrets {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}
