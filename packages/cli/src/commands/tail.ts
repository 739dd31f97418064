/** `turnkeeper tail [session]`: what there is, then what comes. */

import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { CommandContext } from '../command-context.ts';
import { createConnectionRemarks } from '../connection-remarks.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { followSession } from '../follow.ts';
import { followChildren } from '../follow-children.ts';
import { createInterruptionRemarks } from '../interrupted-turn.ts';
import { childLine } from '../output/child-text.ts';
import { createTranscript } from '../output/transcript.ts';
import { programName } from '../program-name.ts';
import { FullScreen } from '../screen/full-screen.ts';
import { screenOf } from '../screen/screen-of.ts';
import { fitsFullScreen } from '../screen/terminal.ts';
import { whileSeen } from '../seen.ts';
import { resolveSession } from '../session-ref.ts';

export type TailOptions = {
  readonly until?: 'done';
  readonly timeout?: number;
  readonly turns?: number;
  readonly children?: boolean;
  readonly plain?: boolean;
};

/** The last turn, once nothing runs or is queued: settled, or waiting for a person. */
const lastIfDone = (view: SessionView): TurnBody | undefined => {
  const turns = view.turns.map(({ data }) => data);
  const open = turns.filter((turn) => !isSettled(turn.status));
  const waiting = open.find((turn) => turn.status === 'requires_action' || turn.status === 'interrupted');
  return waiting ?? (open.length === 0 ? turns.at(-1) : undefined);
};

/** Whoever looks on gets the whole screen; what is to end by itself, or to be read later, is printed. */
const wantsScreen = ({ io, json }: CommandContext, { until, timeout, turns, children, plain }: TailOptions): boolean =>
  !json && plain !== true && until === undefined && timeout === undefined && turns === undefined && children !== true && fitsFullScreen(io);

export const tail = async (context: CommandContext, ref: string | undefined, options: TailOptions): Promise<ExitCode> => {
  const session = await resolveSession(context.client, ref);
  return whileSeen(context, session, () => watch(context, session, options));
};

const watch = async (context: CommandContext, session: SessionResource, options: TailOptions): Promise<ExitCode> => {
  const { io, client, json, note, printJson } = context;
  if (wantsScreen(context, options)) {
    const { code } = await new FullScreen(context, screenOf(session, 'tail')).run();
    note(`Detached. Return with: ${programName} tail ${session.id}`);
    return code;
  }
  if (!json) note(`${session.title || '(no title)'} · ${session.id}`);
  const transcript = createTranscript({ write: (piece) => io.stdout.write(piece), style: context.style, lastTurns: options.turns ?? 20 });
  const remark = createConnectionRemarks(note);
  const interruptions = createInterruptionRemarks(context, session.id);
  const stopChildren = options.children
    ? followChildren(client, session.id, (event) => {
        const line = childLine(event);
        if (json) printJson(event);
        else if (line !== undefined) {
          transcript.endLine();
          io.stdout.write(`${context.style.dim(`  ↳ ${line}`)}\n`);
        }
      })
    : () => {};
  const end = await followSession(client, session.id, {
    interrupted: io.interrupted,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    onMessage: (message) => {
      remark(message);
      if (message.type === 'connection') return;
      if (!json) {
        transcript.update(message.view);
        interruptions.see(message.view);
      } else if (message.type === 'snapshot') printJson({ type: 'snapshot', reason: message.reason, ...message.view });
      else for (const event of message.events) printJson(event);
    },
    until: (view) => (options.until === 'done' ? lastIfDone(view) : undefined),
  }).finally(stopChildren);
  transcript.endLine();
  await interruptions.told();
  switch (end.kind) {
    case 'met':
      return exitCodeOfStatus(end.value.status);
    case 'time_up':
      return exitCodes.stillRunning;
    case 'interrupted':
      note(`Detached. Return with: ${programName} tail ${session.id}`);
      return exitCodes.detached;
  }
};
