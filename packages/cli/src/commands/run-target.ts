/** `turnkeeper workflow run` and `team run`: a session of it, one turn, and its steps while they happen. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { CreateSessionRequest } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes, UsageError } from '../exit-codes.ts';
import { followSession } from '../follow.ts';
import { outcomeText } from '../output/describe.ts';
import { oneLine, printable } from '../output/printable.ts';
import { createStepList } from '../output/step-list.ts';
import { programName } from '../program-name.ts';
import { jsonIn } from './json-option.ts';

export type RunOptions = {
  /** JSON, or `@file`. */
  readonly input?: string;
  readonly follow?: boolean;
  readonly key?: string;
  readonly title?: string;
  /** Seconds. */
  readonly timeout?: number;
};

type Target = NonNullable<CreateSessionRequest['target']>;
type Said = { readonly message: string } | { readonly input: Json };

export const saidIn = async (context: CommandContext, text: string | undefined, { input }: RunOptions): Promise<Said> => {
  if (text !== undefined && input !== undefined) throw new UsageError('Give a text or --input, not both.');
  if (text !== undefined) return { message: text };
  return { input: input === undefined ? {} : await jsonIn(context.io, input) };
};

const turnIn = (view: SessionView, turnId: string): TurnBody | undefined => view.turns.find(({ data }) => data.turn_id === turnId)?.data;
/** Over, or stopped until somebody acts; a step that waits for a person leaves the others running. */
const isResting = ({ status }: TurnBody): boolean => isSettled(status) || status === 'requires_action' || status === 'interrupted';

const follow = async (context: CommandContext, sessionId: string, turnId: string, options: RunOptions): Promise<ExitCode> => {
  const { io, client, json, note, print, printJson } = context;
  const steps = createStepList({ print, style: context.style });
  const end = await followSession(client, sessionId, {
    interrupted: io.interrupted,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    onMessage: (message) => {
      if (message.type !== 'connection' && !json) steps.update(message.view, turnId);
    },
    until: (view) => {
      const turn = turnIn(view, turnId);
      return turn && isResting(turn) ? turn : undefined;
    },
  });
  switch (end.kind) {
    case 'time_up':
      note(`Time is up; it goes on. Follow it with: ${programName} tail ${sessionId}`);
      return exitCodes.stillRunning;
    case 'interrupted':
      note(`Detached; it goes on. Return with: ${programName} tail ${sessionId}`);
      return exitCodes.detached;
    case 'met': {
      const turn = end.value;
      if (json) printJson(await client.turns.get(sessionId, turnId));
      else if (turn.result !== undefined) print(printable(JSON.stringify(turn.result, null, 2)));
      else if (turn.output_text) print(printable(turn.output_text));
      if (!json && isSettled(turn.status)) note(outcomeText(turn));
      if (turn.status === 'requires_action')
        note(`It waits. Answer with: ${programName} chat ${sessionId} (or approve, deny, answer); follow it with: ${programName} tail ${sessionId}`);
      return exitCodeOfStatus(turn.status);
    }
  }
};

export const runTarget = async (context: CommandContext, target: Target, said: Said, options: RunOptions): Promise<ExitCode> => {
  const { client, json, note, print, printJson } = context;
  const title = options.title === undefined ? {} : { title: options.title };
  const created = await client.sessions.create({ target, ...title, initialMessage: said }, { idempotencyKey: options.key ?? freshKey('run') });
  if (options.follow) {
    note(`${created.id} · ${created.turnId} · ${oneLine(created.target.name ?? created.target.id, 60)}`);
    return follow(context, created.id, created.turnId, options);
  }
  if (json) printJson({ sessionId: created.id, turnId: created.turnId });
  else print(`${created.turnId} runs in ${created.id}. Follow it with: ${programName} tail ${created.id}`);
  return exitCodes.completed;
};
