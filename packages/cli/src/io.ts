/** What a command talks to: the terminal, the environment, and the signal of Ctrl+C. Tests give their own. */
import type { Readable } from 'node:stream';

type OnResize = (event: 'resize', listener: () => void) => unknown;
export type Output = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly on?: OnResize;
  readonly off?: OnResize;
};
export type Input = Readable & { readonly isTTY?: boolean; readonly setRawMode?: (raw: boolean) => unknown };

export type Io = {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  /** Aborted by Ctrl+C: the command lets go, nothing on the server is cancelled. */
  readonly interrupted: AbortSignal;
};

/** What npm was told to run, where npm runs this. */
export const npmScript = process.env['npm_lifecycle_script'];

/** The real one. The second Ctrl+C ends the process at once, as everywhere. */
export const processIo = (): Io => {
  const controller = new AbortController();
  let interrupted: AbortSignal | undefined;
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    // Only a command that asks for it takes the signal: `serve` has its own way of stopping.
    get interrupted() {
      if (!interrupted) {
        interrupted = controller.signal;
        process.once('SIGINT', () => controller.abort(new Error('interrupted')));
      }
      return interrupted;
    },
  };
};
