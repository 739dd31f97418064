/**
 * Reads what `strace -f -xx` wrote: the system calls of all threads, entry and exit apart, in the order in which they
 * happened.
 */

/** `args` is the text between the brackets as far as it is known at this moment. */
export type SystemCall = { readonly edge: 'entry' | 'exit'; readonly thread: string; readonly name: string; readonly args: string; readonly result: number };

export const straceArgs = (output: string): readonly string[] => [
  '-f',
  '-xx',
  '-s',
  '1000000',
  '-o',
  output,
  '-e',
  'trace=openat,open,creat,close,write,pwrite64,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,renameat,renameat2,fallocate',
];

const whole = /^(\d+)\s+(\w+)\((.*)\)\s+= (-?\d+)/s;
const begun = /^(\d+)\s+(\w+)\((.*) <unfinished \.\.\.>$/s;
const resumed = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+= (-?\d+)/s;

export const parseSystemCalls = (trace: string): SystemCall[] => {
  const open = new Map<string, string>();
  return trace.split('\n').flatMap((line): SystemCall[] => {
    const unfinished = begun.exec(line);
    if (unfinished) {
      const [, thread = '', name = '', args = ''] = unfinished;
      open.set(thread, args);
      return [{ edge: 'entry', thread, name, args, result: 0 }];
    }
    const rest = resumed.exec(line);
    if (rest) {
      const [, thread = '', name = '', args = '', result = '0'] = rest;
      return [{ edge: 'exit', thread, name, args: (open.get(thread) ?? '') + args, result: Number(result) }];
    }
    const call = whole.exec(line);
    if (!call) return [];
    const [, thread = '', name = '', args = '', result = '0'] = call;
    return [
      { edge: 'entry', thread, name, args, result: 0 },
      { edge: 'exit', thread, name, args, result: Number(result) },
    ];
  });
};

/** The bytes of the first string among the arguments. */
export const bytesIn = (args: string): Buffer => Buffer.from((/"((?:\\x[0-9a-f]{2})*)"/.exec(args)?.[1] ?? '').replaceAll('\\x', ''), 'hex');
export const firstNumber = (args: string): number => Number(/^\s*(-?\d+)/.exec(args)?.[1] ?? Number.NaN);
export const lastNumber = (args: string): number => Number(/(\d+)\s*$/.exec(args)?.[1] ?? Number.NaN);
