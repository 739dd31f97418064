/** What commands are given: where they write, and, if they are of the client kind, a client. */
import type { Client } from '@turnkeeper/client/create-client';
import { connect } from './connect.ts';
import { explainError } from './explain-error.ts';
import type { Io } from './io.ts';
import { createStyle, type Style } from './output/style.ts';

export type CommonOptions = { readonly data?: string; readonly url?: string; readonly json?: boolean };

/** What every command writes with. */
export type Printer = {
  readonly io: Io;
  readonly json: boolean;
  /** For what goes to stdout. */
  readonly style: Style;
  /** A line of the answer itself. */
  readonly print: (text: string) => void;
  /** A remark, to stderr: it never mixes with what a pipe reads. */
  readonly note: (text: string) => void;
  readonly printJson: (value: unknown) => void;
};

export type CommandContext = Printer & {
  readonly client: Client;
  /** Of the server that the client talks to. */
  readonly url: string;
};

export const createPrinter = (io: Io, options: { readonly json?: boolean }): Printer => {
  const { dim } = createStyle(io.stderr, io.env);
  return {
    io,
    json: options.json === true,
    style: createStyle(io.stdout, io.env),
    print: (text) => io.stdout.write(`${text}\n`),
    note: (text) => io.stderr.write(`${dim(text)}\n`),
    printJson: (value) => io.stdout.write(`${JSON.stringify(value)}\n`),
  };
};

/** Runs a command with a client that is closed afterwards, so that no stream keeps the process alive. */
export const withContext = async <Result>(io: Io, options: CommonOptions, run: (context: CommandContext) => Promise<Result>): Promise<Result> => {
  const { client, url, credential } = connect(io, options);
  try {
    return await run({ ...createPrinter(io, options), client, url });
  } catch (error) {
    throw explainError(error, io, { data: options.data, url, source: credential.source });
  } finally {
    client.close();
  }
};
