/** `turnkeeper steer` and `inject`: says something to the turn that is under way, or for whichever turn comes. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { programName } from '../program-name.ts';
import { resolveSession } from '../session-ref.ts';
import { messagesIn, type SayingOptions, saidWith, sayingIn } from './saying.ts';

type SayOptions = SayingOptions & { readonly session?: string; readonly turn?: string; readonly key?: string };

/** The turn that has started, else the one that starts next. */
const currentTurn = async ({ client }: CommandContext, sessionId: string): Promise<string> => {
  const { current, items } = await client.queue.get(sessionId);
  const turn = current?.id ?? items[0]?.id;
  if (turn === undefined) throw new UsageError(`Nothing runs in ${sessionId}. Submit a turn with: ${programName} ask --session ${sessionId}`);
  return turn;
};

export const steer = async (context: CommandContext, text: string | undefined, options: SayOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const saying = messagesIn(await sayingIn(context, text, options));
  const session = await resolveSession(client, options.session);
  const turnId = options.turn ?? (await currentTurn(context, session.id));
  const idempotencyKey = options.key ?? freshKey('steer');
  const receipt = await client.inputs.steer(session.id, turnId, await saidWith(context, session.id, saying, idempotencyKey), { idempotencyKey });
  if (json) printJson(receipt);
  else print(`${receipt.input_id} is stored: ${turnId} hears it at its next step. Follow it with: ${programName} tail ${session.id}`);
  return exitCodes.completed;
};

export const inject = async (context: CommandContext, text: string | undefined, options: SayOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const saying = messagesIn(await sayingIn(context, text, options));
  const session = await resolveSession(client, options.session);
  const idempotencyKey = options.key ?? freshKey('inject');
  const receipt = await client.inputs.inject(session.id, await saidWith(context, session.id, saying, idempotencyKey), { idempotencyKey });
  if (json) printJson(receipt);
  else print(`${receipt.input_id} is stored: heard at the next step of the turn under way in ${session.id}, or of the next one.`);
  return exitCodes.completed;
};
