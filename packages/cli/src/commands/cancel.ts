/** `turnkeeper cancel [session] [turn]`: asks a turn to stop, and says how it ended. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { resolveSession } from '../session-ref.ts';

export const cancel = async (context: CommandContext, ref: string | undefined, turnRef: string | undefined): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  const session = await resolveSession(client, ref);
  const turnId = turnRef ?? liveTurn(await client.sessions.snapshot(session.id))?.turn_id;
  if (turnId === undefined) {
    // What was asked for is so already: no failure, and the call was not wrong.
    if (json) printJson({ turn: null });
    note(`Nothing runs in ${session.id}.`);
    return exitCodes.completed;
  }
  await client.turns.cancel(session.id, turnId, { idempotencyKey: freshKey('cancel') });
  if (!json) note('stopping …');
  const end = await client.waitForTurn(session.id, turnId, { timeoutMs: 60_000, signal: io.interrupted });
  if (json) printJson(end.turn);
  if (!end.done) {
    note('It has not stopped yet.');
    return exitCodes.stillRunning;
  }
  if (!json) print(end.turn.status);
  for (const call of end.turn.unverifiedCalls ?? []) note(`not undone, and its effect unknown: ${call}`);
  // Asked to stop, but it came to its end first: that is no failure of this command.
  return exitCodes.completed;
};
