/** `turnkeeper ask "text"`: one turn, its answer, and an exit code that says how it ended. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { CreateSessionRequest } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes, UsageError } from '../exit-codes.ts';
import { followSession } from '../follow.ts';
import { interruptedText } from '../interrupted-turn.ts';
import { outcomeText } from '../output/describe.ts';
import { printable } from '../output/printable.ts';
import { isInteractive } from '../output/style.ts';
import { createTranscript } from '../output/transcript.ts';
import { programName } from '../program-name.ts';
import { resolveSession } from '../session-ref.ts';
import { explainAgent } from './agents.ts';
import { defaultAgent } from './default-agent.ts';
import { type NewSessionOptions, newSessionIn, refuseBeside } from './new-session.ts';
import { questionText } from './question-text.ts';
import { type Saying, type SayingOptions, sayingIn, sentWith } from './saying.ts';
import { asksForResult, type SchemaOptions, sessionSchemas } from './schema-options.ts';

export const busyPolicies = ['queue', 'steer', 'reject', 'interrupt'] as const;
type BusyPolicy = (typeof busyPolicies)[number];

export type AskOptions = SchemaOptions &
  NewSessionOptions &
  SayingOptions & {
    readonly session?: string;
    /** What becomes of it where a turn of the session is under way. */
    readonly onBusy?: BusyPolicy;
    /** The idempotency key: the same call with the same key is answered by the same turn. */
    readonly key?: string;
    /** What is piped in stands below the text. */
    readonly stdin?: boolean;
    /** Seconds. */
    readonly timeout?: number;
  };

type Asked = { readonly sessionId: string; readonly turnId: string };
type Wanted = Omit<CreateSessionRequest, 'agent' | 'target' | 'initialMessage'>;

const submitTo = async (context: CommandContext, ref: string, saying: Saying, { onBusy }: AskOptions, idempotencyKey: string): Promise<Asked> => {
  const { client, note } = context;
  const session = await resolveSession(client, ref);
  const said = await sentWith(context, session.id, saying, idempotencyKey);
  const turn = await client.turns.submit(session.id, { ...said, ...(onBusy === undefined ? {} : { onBusy }) }, { idempotencyKey });
  if (turn.inputId !== undefined) note(`${turn.id} is under way, and hears it at its next step.`);
  return { sessionId: session.id, turnId: turn.id };
};

/** Files belong to a session: with any it is made first, without a turn. */
const begin = async (context: CommandContext, saying: Saying, wanted: Wanted, options: AskOptions, idempotencyKey: string): Promise<Asked> => {
  const { client, note } = context;
  const agent = options.agent ?? (await defaultAgent(client));
  const explain = async (error: unknown): Promise<never> => {
    throw await explainAgent(client, agent, error);
  };
  if (saying.files.length === 0) {
    const created = await client.sessions.create({ agent, ...wanted, initialMessage: saying.said }, { idempotencyKey }).catch(explain);
    if (created.turnId === undefined) throw new Error('The server named no turn.');
    return { sessionId: created.id, turnId: created.turnId };
  }
  const { id } = await client.sessions.create({ agent, ...wanted }, { idempotencyKey }).catch(explain);
  try {
    const turn = await client.turns.submit(id, await sentWith(context, id, saying, idempotencyKey), { idempotencyKey });
    return { sessionId: id, turnId: turn.id };
  } catch (error) {
    note(`${id} was made, and was asked nothing yet. Ask in it with: ${programName} ask --session ${id}`);
    throw error;
  }
};

const submit = async (context: CommandContext, argument: string | undefined, options: AskOptions): Promise<Asked> => {
  const { io } = context;
  const idempotencyKey = options.key ?? freshKey('ask');
  const said = options.input === undefined ? () => questionText(io, argument, options.stdin === true) : (argument ?? (options.stdin ? '-' : undefined));
  const saying = await sayingIn(context, said, options);
  const wanted: Wanted = { ...newSessionIn(options), ...(await sessionSchemas(options)) };
  if (options.session !== undefined) {
    refuseBeside('--session', options.session, options);
    if (Object.keys(wanted).length > 0) throw new UsageError('A session keeps the schemas with which it was made: they are given for a new one.');
    return submitTo(context, options.session, saying, options, idempotencyKey);
  }
  if (options.onBusy !== undefined) throw new UsageError('--on-busy is for a session that there is: name it with --session.');
  return begin(context, saying, wanted, options, idempotencyKey);
};

const turnIn = (view: SessionView, turnId: string): TurnBody | undefined => view.turns.find(({ data }) => data.turn_id === turnId)?.data;

/** Over, or stopped until a person acts. */
const isResting = (turn: TurnBody): boolean => isSettled(turn.status) || turn.status === 'requires_action' || turn.status === 'interrupted';

const timeUpText = async (context: CommandContext, sessionId: string, view: SessionView | undefined, turnId: string): Promise<string> => {
  const live = view && liveTurn(view);
  const isBehind = live !== undefined && live.turn_id !== turnId;
  if (isBehind && live.status === 'interrupted')
    return `Time is up; the turn is queued behind one that was interrupted: ${await interruptedText(context, sessionId, live)}`;
  if (isBehind && live.status === 'requires_action')
    return `Time is up; the turn is queued behind one that waits for an answer. Give it with: ${programName} chat ${sessionId}`;
  return `Time is up; the turn goes on. Follow it with: ${programName} tail ${sessionId}`;
};

export const ask = async (context: CommandContext, argument: string | undefined, options: AskOptions): Promise<ExitCode> => {
  const { io, client, json, note } = context;
  const { sessionId, turnId } = await submit(context, argument, options);
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
        if (!json && !asksForResult(options)) transcript.update(message.view);
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
      note(await timeUpText(context, sessionId, last, turnId));
      return exitCodes.stillRunning;
    case 'interrupted':
      note(`Detached; the turn goes on. Return with: ${programName} chat ${sessionId}`);
      return exitCodes.detached;
  }
};

const report = async (context: CommandContext, asked: Asked, turn: TurnBody, printed: boolean): Promise<ExitCode> => {
  const { client, json, note, print, printJson } = context;
  if (json) printJson(await client.turns.get(asked.sessionId, asked.turnId));
  else if (!printed && turn.result !== undefined) printJson(turn.result);
  else if (!printed && turn.output_text !== undefined) print(printable(turn.output_text));
  if (turn.status === 'interrupted') note(`The turn was interrupted: ${await interruptedText(context, asked.sessionId, turn)}`);
  else if (turn.status === 'requires_action') {
    note(`The turn waits for an answer. Give it with: ${programName} chat ${asked.sessionId} (or approve, deny, answer)`);
  } else if (turn.status !== 'completed') note(outcomeText(turn));
  return exitCodeOfStatus(turn.status);
};
