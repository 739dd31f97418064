/** Writes to the mini-tool's log: `turnkeeper minitool logs <id>` shows it. Arguments are formatted as `console.log` does. */
export interface Logger {
  debug(...args: unknown[]): void;
  info(...args: unknown[]): void;
  warn(...args: unknown[]): void;
  error(...args: unknown[]): void;
}
