/** A terminal, or a pipe, made of strings. */
import { PassThrough } from 'node:stream';
import type { Io } from '../io.ts';

export const createFakeIo = (
  env: Io['env'] = {},
  options: { readonly cwd?: string; readonly tty?: boolean /** Of the window: enough of them make room for a full screen. */; readonly rows?: number } = {},
) => {
  const out = { text: '' };
  const err = { text: '' };
  const controller = new AbortController();
  const stdin = Object.assign(new PassThrough(), { isTTY: options.tty === true, setRawMode: () => {} });
  const sink = (target: { text: string }) => ({
    isTTY: options.tty === true,
    columns: 80,
    ...(options.rows === undefined ? {} : { rows: options.rows }),
    write: (text: string) => {
      target.text += text;
    },
  });
  const io: Io = { stdin, stdout: sink(out), stderr: sink(err), env, cwd: options.cwd ?? '/nowhere', interrupted: controller.signal };
  return { io, stdin, out, err, interrupt: () => controller.abort(new Error('interrupted')) };
};
