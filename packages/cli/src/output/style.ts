/** Colour and marks, only where they are welcome: on a terminal, and not with NO_COLOR. */
import type { Io, Output } from '../io.ts';

export type Style = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
};

const plain = (text: string): string => text;
const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`;

export const isInteractive = (output: Output, env: Io['env']): boolean => output.isTTY === true && env['TERM'] !== 'dumb';

export const createStyle = (output: Output, env: Io['env']): Style =>
  isInteractive(output, env) && !env['NO_COLOR']
    ? { bold: sgr(1, 22), dim: sgr(2, 22), red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39), cyan: sgr(36, 39) }
    : { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };
