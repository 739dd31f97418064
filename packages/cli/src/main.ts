/** The process: run by bin/turnkeeper.js once the right Node runs. */
import { processIo } from './io.ts';
import { runCli } from './run-cli.ts';

// A closed pipe (`turnkeeper ls | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await runCli(process.argv.slice(2), processIo());
