/** `turnkeeper chat [session]`: a conversation in the terminal. Leaving it cancels nothing. */
import { Chat } from '../chat/chat.ts';
import { pickAgent } from '../chat/pick-agent.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { resolveSession } from '../session-ref.ts';

export type ChatOptions = { readonly agent?: string };

export const chat = async (context: CommandContext, ref: string | undefined, options: ChatOptions): Promise<ExitCode> => {
  const { client, note } = context;
  const start = ref === undefined ? { agent: options.agent ?? (await pickAgent(context)) } : { sessionId: (await resolveSession(client, ref)).id };
  if (context.io.stdin.isTTY) note('Enter sends, also while it runs (then it queues) · Esc stops · Ctrl+C detaches · /help');
  const end = await new Chat(context, start).run();
  if (end.code === exitCodes.detached) note(`Detached; the turn goes on.${end.sessionId ? ` Return with: turnkeeper chat ${end.sessionId}` : ''}`);
  return end.code;
};
