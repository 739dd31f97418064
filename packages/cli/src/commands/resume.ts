/** `turnkeeper resume [session] [turn]`: lets an interrupted or failed turn go on. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { followSession } from '../follow.ts';
import { interruptedText } from '../interrupted-turn.ts';
import { programName } from '../program-name.ts';
import { resolveSession } from '../session-ref.ts';

/** For so long it is watched whether a budget still stands in the way. */
const watchMs = 2_000;

/** A budget that was not raised stops the turn at its first step: what it was stopped with, if that is so. */
const interruptedAgain = async ({ client, io }: CommandContext, sessionId: string, before: TurnBody): Promise<TurnBody | undefined> => {
  const end = await followSession(client, sessionId, {
    interrupted: io.interrupted,
    timeoutMs: watchMs,
    onMessage: () => {},
    until: (view) => view.turns.find(({ data }) => data.turn_id === before.turn_id && data.runs > before.runs && data.status !== 'running')?.data,
  });
  return end.kind === 'met' && end.value.status === 'interrupted' ? end.value : undefined;
};

export const resume = async (context: CommandContext, ref: string | undefined, turnRef: string | undefined): Promise<ExitCode> => {
  const { client, json, print, printJson, note } = context;
  const session = await resolveSession(client, ref);
  const turns = (await client.sessions.snapshot(session.id)).turns.map(({ data }) => data);
  const turn = turnRef ?? turns.findLast(({ status }) => status === 'interrupted' || status === 'failed')?.turn_id;
  if (turn === undefined) {
    if (json) printJson({ turn: null });
    note(`No turn of ${session.id} was interrupted or failed.`);
    return exitCodes.completed;
  }
  const before = turns.find(({ turn_id }) => turn_id === turn);
  const receipt = await client.turns.resume(session.id, turn, { idempotencyKey: freshKey('resume') });
  const again = before?.reason === 'budget_exceeded' ? await interruptedAgain(context, session.id, before) : undefined;
  if (json) printJson(receipt);
  if (again) {
    note(`${turn} was interrupted again: ${await interruptedText(context, session.id, again)}`);
    return exitCodes.waiting;
  }
  if (!json) print(`${turn} goes on. Follow it with: ${programName} tail ${session.id}`);
  return exitCodes.completed;
};
