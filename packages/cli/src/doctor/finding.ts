/** What a check found, and what to do about it. */
export type Finding = {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly advice?: string;
};

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
export const warn = (check: string, detail: string, advice: string): Finding => ({ check, status: 'warn', detail, advice });
export const fail = (check: string, detail: string, advice: string): Finding => ({ check, status: 'fail', detail, advice });

/** What went wrong, down to the cause: fetch says no more than "fetch failed". */
export const messageOf = (error: unknown): string => {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : String(error);
  if (!(cause instanceof Error)) return text;
  return text === 'fetch failed' ? messageOf(cause) : `${text} (${messageOf(cause)})`;
};
