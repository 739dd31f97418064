/** `turnkeeper turn pause` and `turn rerun`: a workflow's turn is held, and a turn is run again as a new one. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { programName } from '../program-name.ts';
import { resolveSession } from '../session-ref.ts';

export const pauseTurn = async (
  { client, json, print, printJson }: CommandContext,
  ref: string | undefined,
  turnRef: string | undefined,
): Promise<ExitCode> => {
  const session = await resolveSession(client, ref);
  const turnId = turnRef ?? liveTurn(await client.sessions.snapshot(session.id))?.turn_id;
  if (turnId === undefined) throw new UsageError(`Nothing runs in ${session.id}.`);
  const receipt = await client.turns.pause(session.id, turnId, { idempotencyKey: freshKey('pause') });
  if (json) printJson(receipt);
  else print(`${turnId} is paused once what runs of it has ended. Let it go on with: ${programName} resume ${session.id} ${turnId}`);
  return exitCodes.completed;
};

export type RerunOptions = { readonly key?: string };

export const rerunTurn = async (context: CommandContext, ref: string | undefined, turnRef: string | undefined, { key }: RerunOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const session = await resolveSession(client, ref);
  const turnId = turnRef ?? (await client.sessions.snapshot(session.id)).turns.at(-1)?.data.turn_id;
  if (turnId === undefined) throw new UsageError(`${session.id} has no turn yet.`);
  const receipt = await client.turns.rerun(session.id, turnId, { idempotencyKey: key ?? freshKey('rerun') });
  if (json) printJson(receipt);
  else print(`${receipt.id} is asked what ${turnId} was. Follow it with: ${programName} tail ${session.id}`);
  return exitCodes.completed;
};
