/**
 * A program on a real pseudo-terminal. Node makes none by itself: Python does, or `script` of util-linux. Where neither is there, tests
 * fail and say so; they are never skipped in silence.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualScreen } from './virtual-screen.ts';

const works = (program: string, args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const inPython = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** How a shell line is run on a terminal of its own. */
const findWay = (): ((line: string) => readonly [string, readonly string[]]) => {
  if (works('python3', ['-c', 'import pty'])) return (line) => ['python3', ['-c', inPython, '/bin/sh', '-c', line]];
  if (works('script', ['-qec', 'true', '/dev/null'])) return (line) => ['script', ['-qefc', line, '/dev/null']];
  throw new Error('These tests need a pseudo-terminal, and find none: install python3, or script (of util-linux).');
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export type PseudoTerminalOptions = { readonly env: Record<string, string>; readonly columns?: number; readonly rows?: number };

export class PseudoTerminal {
  readonly screen: VirtualScreen;
  /** Everything that was written. */
  output = '';
  readonly exit: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'turnkeeper-pty-'));

  constructor(command: readonly string[], { env, columns = 80, rows = 24 }: PseudoTerminalOptions) {
    this.screen = new VirtualScreen(columns, rows);
    // How the terminal was left is told by itself, once the program has ended.
    const at = (name: string): string => quoted(join(this.#folder, name));
    const run = `/bin/sh -c ${quoted(`echo $$ > ${at('pid')}; exec ${command.map(quoted).join(' ')}`)}`;
    const line = [
      `tty > ${at('tty')}`,
      `stty rows ${rows} cols ${columns}`,
      `stty -g > ${at('before')}`,
      run,
      'code=$?',
      `stty -g > ${at('after')}`,
      'exit $code',
    ].join('; ');
    const [program, args] = findWay()(line);
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, TERM: 'xterm-256color', ...env } });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      this.screen.write(text);
    });
    this.exit = new Promise((resolve) => this.#child.on('exit', (code) => resolve(code)));
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    const flag = process.platform === 'linux' ? '-F' : '-f';
    execFileSync('stty', [flag, readFileSync(join(this.#folder, 'tty'), 'utf8').trim(), 'rows', String(rows), 'cols', String(columns)]);
  }

  /** To the program, past the terminal. */
  signal(signal: NodeJS.Signals): void {
    process.kill(Number(readFileSync(join(this.#folder, 'pid'), 'utf8')), signal);
  }

  /** Whether the terminal is as it was before the program: line by line, with echo. */
  get isRestored(): boolean {
    const read = (name: string): string => readFileSync(join(this.#folder, name), 'utf8');
    return read('after') === read('before');
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exit;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
