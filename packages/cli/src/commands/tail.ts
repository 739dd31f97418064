/** `turnkeeper tail [session]`: what there is, then what comes. */

import type { FeedMessage } from '@turnkeeper/client/stream/session-feed';
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { followSession } from '../follow.ts';
import { createTranscript } from '../output/transcript.ts';
import { resolveSession } from '../session-ref.ts';

export type TailOptions = { readonly until?: 'done'; readonly timeout?: number; readonly turns?: number };

/** The last turn, once nothing runs or is queued: settled, or waiting for a person. */
const lastIfDone = (view: SessionView): TurnBody | undefined => {
  const turns = view.turns.map(({ data }) => data);
  const open = turns.filter((turn) => !isSettled(turn.status));
  const waiting = open.find((turn) => turn.status === 'requires_action' || turn.status === 'interrupted');
  return waiting ?? (open.length === 0 ? turns.at(-1) : undefined);
};

/** Says when the stream was cut and where it went on, and when something was skipped. */
const createRemarks = (note: (text: string) => void) => {
  let cut = false;
  let cursor = '';
  return (message: FeedMessage): void => {
    switch (message.type) {
      case 'snapshot':
        if (message.reason === 'expired') note('gap: events were pruned meanwhile; the view was read anew');
        cursor = message.view.as_of;
        return;
      case 'events':
        cursor = message.view.as_of;
        return;
      case 'connection':
        if (message.connection.kind === 'reconnecting' && !cut) note(`reconnecting … (${message.connection.reason})`);
        if (message.connection.kind === 'live' && cut) note(`resumed at ${cursor}`);
        cut = message.connection.kind === 'reconnecting';
    }
  };
};

export const tail = async (context: CommandContext, ref: string | undefined, options: TailOptions): Promise<ExitCode> => {
  const { io, client, json, note, printJson } = context;
  const session = await resolveSession(client, ref);
  if (!json) note(`${session.title || '(no title)'} · ${session.id}`);
  const transcript = createTranscript({ write: (piece) => io.stdout.write(piece), style: context.style, lastTurns: options.turns ?? 20 });
  const remark = createRemarks(note);
  const end = await followSession(client, session.id, {
    interrupted: io.interrupted,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    onMessage: (message) => {
      remark(message);
      if (message.type === 'connection') return;
      if (!json) transcript.update(message.view);
      else if (message.type === 'snapshot') printJson({ type: 'snapshot', reason: message.reason, ...message.view });
      else for (const event of message.events) printJson(event);
    },
    until: (view) => (options.until === 'done' ? lastIfDone(view) : undefined),
  });
  transcript.endLine();
  switch (end.kind) {
    case 'met':
      return exitCodeOfStatus(end.value.status);
    case 'time_up':
      return exitCodes.stillRunning;
    case 'interrupted':
      note(`Detached. Return with: turnkeeper tail ${session.id}`);
      return exitCodes.detached;
  }
};
