/** What every command of the client kind is given. */
import type { Client } from '@turnkeeper/client/create-client';
import { connect } from './connect.ts';
import { explainError } from './explain-error.ts';
import type { Io } from './io.ts';
import { createStyle, type Style } from './output/style.ts';

export type CommonOptions = { readonly data?: string; readonly json?: boolean };

export type CommandContext = {
  readonly io: Io;
  readonly client: Client;
  readonly json: boolean;
  /** For what goes to stdout. */
  readonly style: Style;
  /** A line of the answer itself. */
  readonly print: (text: string) => void;
  /** A remark, to stderr: it never mixes with what a pipe reads. */
  readonly note: (text: string) => void;
  readonly printJson: (value: unknown) => void;
};

/** Runs a command with a client that is closed afterwards, so that no stream keeps the process alive. */
export const withContext = async <Result>(io: Io, options: CommonOptions, run: (context: CommandContext) => Promise<Result>): Promise<Result> => {
  const { client, url } = connect(io, options);
  const dim = createStyle(io.stderr, io.env).dim;
  try {
    return await run({
      io,
      client,
      json: options.json === true,
      style: createStyle(io.stdout, io.env),
      print: (text) => io.stdout.write(`${text}\n`),
      note: (text) => io.stderr.write(`${dim(text)}\n`),
      printJson: (value) => io.stdout.write(`${JSON.stringify(value)}\n`),
    });
  } catch (error) {
    throw explainError(error, io, { data: options.data, url });
  } finally {
    client.close();
  }
};
