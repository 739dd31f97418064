/** The newest lines of a log, as they come. */
import type { MinitoolLogEntry } from '@turnkeeper/core/protocol/wire/minitools';

export const mostLines = 1_000;

/** `n` tells them apart: two may say the same at the same moment. */
export type LogLine = MinitoolLogEntry & { readonly n: number };

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Those that are as grave or graver, and that say what is looked for. */
export const fitting = (lines: readonly LogLine[], least: LogLevel, wanted: string): readonly LogLine[] => {
  const needle = wanted.trim().toLowerCase();
  return lines.filter(({ level, message }) => logLevels.indexOf(level) >= logLevels.indexOf(least) && message.toLowerCase().includes(needle));
};

export const withLines = (before: readonly LogLine[], come: readonly MinitoolLogEntry[]): readonly LogLine[] => {
  const last = before.at(-1)?.n ?? 0;
  return [...before, ...come.map((entry, at) => ({ ...entry, n: last + at + 1 }))].slice(-mostLines);
};
