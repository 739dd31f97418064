/** What the doctor finds: where, what it is, and why it matters. */
export type Finding = {
  /** A word for programs; it keeps its meaning. */
  readonly code: FindingCode;
  /** `error`: it will not work. `warning`: it works until it does not. */
  readonly level: 'error' | 'warning';
  /** Relative to the folder, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly what: string;
  readonly why: string;
};

export const findingCodes = [
  'manifest_fault',
  'entry_missing',
  'default_export_only',
  'no_activate',
  'permission_missing',
  'container_undeclared',
  'secret_undeclared',
  'capability_undeclared',
  'hook_undeclared',
  'tools_undeclared',
  'random_key',
  'polling',
  'runtime_import_of_finch',
  'electron',
  'not_on_server',
] as const;
export type FindingCode = (typeof findingCodes)[number];
