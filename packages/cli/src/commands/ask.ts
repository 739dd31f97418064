/** `turnkeeper ask "text"`: one turn, its answer, and an exit code that says how it ended. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { followSession } from '../follow.ts';
import { outcomeText } from '../output/describe.ts';
import { printable } from '../output/printable.ts';
import { isInteractive } from '../output/style.ts';
import { createTranscript } from '../output/transcript.ts';
import { resolveSession } from '../session-ref.ts';
import { defaultAgent } from './default-agent.ts';
import { questionText } from './question-text.ts';

export type AskOptions = {
  readonly agent?: string;
  readonly session?: string;
  /** The idempotency key: the same call with the same key is answered by the same turn. */
  readonly key?: string;
  /** What is piped in stands below the text. */
  readonly stdin?: boolean;
  /** Seconds. */
  readonly timeout?: number;
};

type Asked = { readonly sessionId: string; readonly turnId: string };

const submit = async ({ client }: CommandContext, text: string, options: AskOptions): Promise<Asked> => {
  const idempotencyKey = options.key ?? freshKey('ask');
  if (options.session !== undefined) {
    const session = await resolveSession(client, options.session);
    const turn = await client.turns.submit(session.id, { message: text }, { idempotencyKey });
    return { sessionId: session.id, turnId: turn.id };
  }
  const agent = options.agent ?? (await defaultAgent(client));
  const created = await client.sessions.create({ agent, initialMessage: { message: text } }, { idempotencyKey });
  if (created.turnId === undefined) throw new Error('The server named no turn.');
  return { sessionId: created.id, turnId: created.turnId };
};

const turnIn = (view: SessionView, turnId: string): TurnBody | undefined => view.turns.find(({ data }) => data.turn_id === turnId)?.data;

/** Over, or stopped until a person acts. */
const isResting = (turn: TurnBody): boolean => isSettled(turn.status) || turn.status === 'requires_action' || turn.status === 'interrupted';

const timeUpText = (sessionId: string, view: SessionView | undefined, turnId: string): string => {
  const live = view && liveTurn(view);
  if (live && live.turn_id !== turnId && (live.status === 'requires_action' || live.status === 'interrupted'))
    return `Time is up; the turn is queued behind one that waits for an answer. Give it with: turnkeeper chat ${sessionId}`;
  return `Time is up; the turn goes on. Follow it with: turnkeeper tail ${sessionId}`;
};

export const ask = async (context: CommandContext, argument: string | undefined, options: AskOptions): Promise<ExitCode> => {
  const { io, client, json, note } = context;
  const { sessionId, turnId } = await submit(context, await questionText(io, argument, options.stdin === true), options);
  let printed = false;
  let last: SessionView | undefined;
  const transcript = createTranscript({
    write: (piece) => {
      printed = true;
      io.stdout.write(piece);
    },
    style: context.style,
    turnId,
    showQuestion: () => false,
    showQueued: false,
    showOutcome: false,
    // A pipe gets what the agent says and nothing else.
    onlyText: !isInteractive(io.stdout, io.env),
  });
  const end = await followSession(client, sessionId, {
    interrupted: io.interrupted,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    onMessage: (message) => {
      if (message.type === 'connection') {
        if (message.connection.kind === 'reconnecting' && message.connection.attempt === 1) note('reconnecting … (the turn goes on)');
      } else {
        last = message.view;
        if (!json) transcript.update(message.view);
      }
    },
    until: (view) => {
      const turn = turnIn(view, turnId);
      return turn && isResting(turn) ? turn : undefined;
    },
  });
  transcript.endLine();
  switch (end.kind) {
    case 'met':
      return report(context, { sessionId, turnId }, end.value, printed);
    case 'time_up':
      if (json) context.printJson(await client.turns.get(sessionId, turnId));
      note(timeUpText(sessionId, last, turnId));
      return exitCodes.stillRunning;
    case 'interrupted':
      note(`Detached; the turn goes on. Return with: turnkeeper chat ${sessionId}`);
      return exitCodes.detached;
  }
};

const report = async (context: CommandContext, asked: Asked, turn: TurnBody, printed: boolean): Promise<ExitCode> => {
  const { client, json, note, print, printJson } = context;
  if (json) printJson(await client.turns.get(asked.sessionId, asked.turnId));
  else if (!printed && turn.output_text !== undefined) print(printable(turn.output_text));
  if (turn.status === 'requires_action' || turn.status === 'interrupted') {
    note(`The turn waits for an answer. Give it with: turnkeeper chat ${asked.sessionId}`);
  } else if (turn.status !== 'completed') note(outcomeText(turn));
  return exitCodeOfStatus(turn.status);
};
