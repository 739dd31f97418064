/** All of what is piped in. */
import type { Io } from './io.ts';

/** After this long without a byte, a person is told what is being waited for. */
const silenceMs = 3_000;

export const readAll = async ({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): Promise<string> => {
  const timer = setTimeout(() => stderr.write('reading standard input … (</dev/null gives none)\n'), silenceMs);
  try {
    const pieces: Buffer[] = [];
    for await (const piece of stdin) {
      clearTimeout(timer);
      pieces.push(Buffer.from(piece as Uint8Array));
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    clearTimeout(timer);
  }
};
