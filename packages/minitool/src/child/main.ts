/**
 * What a mini-tool's process runs. The server starts it with an IPC channel and asks it to `activate`.
 *
 * MZ1 What nobody caught is logged and ends the process, with a code that says what it was: a mini-tool in a state that its author did
 *     not think of must not go on.
 */
import { channelTo } from '../rpc/channel.ts';
import { createToolPeer } from '../rpc/peer.ts';
import { loadEntry } from './entry.ts';
import { exitCodes } from './exit-codes.ts';
import { takeConsole } from './log.ts';
import { serveMinitool } from './serve.ts';

/** How long the last line of the log may take to leave. */
const lastWordsMs = 500;

if (!process.send) {
  process.stderr.write('This is started by the server, for a mini-tool.\n');
  process.exit(exitCodes.noServer);
}

const peer = createToolPeer(channelTo(process));
const { logger } = serveMinitool({ peer, load: loadEntry });
takeConsole(logger);
// Libraries talk to whoever started them when they find a channel, and this one is not for them.
Object.assign(process, { send: undefined });

const endWith = (code: number, what: string) => (error: unknown) => {
  const exit = (): never => process.exit(code);
  logger.error(`${what}:`, error);
  setTimeout(exit, lastWordsMs);
  // Messages leave in order: when this one has, so has the line above.
  void peer.tell('log', { level: 'error', message: `The process ends with code ${code}` }).then(exit);
};

process.on('uncaughtException', endWith(exitCodes.uncaughtException, 'Something was thrown that nobody caught'));
process.on('unhandledRejection', endWith(exitCodes.unhandledRejection, 'A promise was rejected that nobody waited for'));
// Without its server it can do nothing.
process.on('disconnect', () => process.exit(0));
