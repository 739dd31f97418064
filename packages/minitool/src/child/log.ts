/** The mini-tool's log: lines go to the server, formatted as `console.log` does. */
import { format, inspect } from 'node:util';
import type { Logger } from '../context/logger.ts';
import { messageOf } from '../failure.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type WriteLog = (level: LogLevel, message: string) => void;

/** One line of a log is for people: what is longer was not meant for them. */
export const longestLogLine = 16_384;

const written = (args: readonly unknown[]): string => {
  let text: string;
  try {
    text = format(...args);
  } catch (error) {
    // A getter or an `inspect` of the mini-tool's threw.
    text = `(what was logged cannot be shown: ${messageOf(error)})`;
  }
  return text.length > longestLogLine ? `${text.slice(0, longestLogLine).toWellFormed()}…` : text;
};

/** `before` stands before every line. */
export const createLogger = (write: WriteLog, before = ''): Logger => {
  const at =
    (level: LogLevel) =>
    (...args: unknown[]): void =>
      write(level, before + written(args));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
};

/** What the mini-tool says over `console` goes to the log, too. */
export const takeConsole = (logger: Logger): void => {
  Object.assign(globalThis.console, {
    log: logger.info,
    info: logger.info,
    debug: logger.debug,
    trace: logger.debug,
    warn: logger.warn,
    error: logger.error,
    table: logger.info,
    dir: (value: unknown) => logger.info(inspect(value)),
    assert: (holds: unknown, ...args: unknown[]) => {
      if (!holds) logger.error('Assertion failed:', ...args);
    },
  });
};
