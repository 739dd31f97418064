/** `turnkeeper chat [session]`: a conversation in the terminal, on a full screen where there is one. Leaving it cancels nothing. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { Chat } from '../chat/chat.ts';
import { pickAgent } from '../chat/pick-agent.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { programName } from '../program-name.ts';
import { FullScreen, type ScreenStart } from '../screen/full-screen.ts';
import { screenOf } from '../screen/screen-of.ts';
import { fitsFullScreen } from '../screen/terminal.ts';
import { whileSeen } from '../seen.ts';
import { resolveSession } from '../session-ref.ts';
import { agentOf } from './agents.ts';
import { type NewSessionOptions, newSessionIn, refuseBeside } from './new-session.ts';

export type ChatOptions = NewSessionOptions & {
  /** Line by line, also where there is room for more. */
  readonly plain?: boolean;
};

/** Of an existing session, or one that begins with the first message. */
const screenStart = async (context: CommandContext, session: SessionResource | undefined, options: ChatOptions): Promise<ScreenStart> => {
  const { client } = context;
  if (session !== undefined) return screenOf(session, 'chat');
  const named = options.agent ?? (await pickAgent(context));
  const { agent, definition } = await agentOf(client, named);
  const target = `${agent.displayName} · ${options.model ?? definition.model}`;
  return { mode: 'chat', session: { agent: agent.id, ...newSessionIn(options) }, title: options.title ?? 'New session', target };
};

const onFullScreen = async (context: CommandContext, start: ScreenStart): Promise<ExitCode> => {
  const { code, sessionId } = await new FullScreen(context, start).run();
  if (sessionId !== undefined)
    context.note(`${code === exitCodes.detached ? 'Detached; what runs goes on.' : 'Left.'} Return with: ${programName} chat ${sessionId}`);
  return code;
};

export const chat = async (context: CommandContext, ref: string | undefined, options: ChatOptions): Promise<ExitCode> => {
  if (ref !== undefined) refuseBeside('a session', ref, options);
  const session = ref === undefined ? undefined : await resolveSession(context.client, ref);
  return whileSeen(context, session, () => talk(context, session, options));
};

const talk = async (context: CommandContext, session: SessionResource | undefined, options: ChatOptions): Promise<ExitCode> => {
  const { note, json } = context;
  if (options.plain !== true && !json && fitsFullScreen(context.io)) return onFullScreen(context, await screenStart(context, session, options));
  const start = session === undefined ? { agent: options.agent ?? (await pickAgent(context)), ...newSessionIn(options) } : { sessionId: session.id };
  if (context.io.stdin.isTTY) note('Enter sends, also while it runs (then it queues) · Esc stops · Ctrl+C detaches · /help');
  const end = await new Chat(context, start).run();
  if (end.code === exitCodes.detached) note(`Detached; the turn goes on.${end.sessionId ? ` Return with: ${programName} chat ${end.sessionId}` : ''}`);
  return end.code;
};
