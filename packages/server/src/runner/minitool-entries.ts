/**
 * Tools of mini-tools among those of an agent.
 *
 * TO3 A tool that is registered as `dynamic` is offered once it was found in the session, or where it was registered while the session is
 *     held. Whether it is offered changes nothing of its terms: a call of it that was made is treated by them.
 * TO4 How often a tool reports its progress is bounded: each report is a fact of the log. The newest one that was held back follows.
 */

import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { UsableTool } from '../app/minitool-terms.ts';
import type { Clock } from '../ports/clock.ts';
import { progressBlock } from '../ports/minitool-tools.ts';
import type { Tool, ToolRun } from '../ports/tool.ts';
import type { ToolEntry } from './tool-entries.ts';

const shortestMs = 15_000;
const longestMs = 600_000;

/** Between two reports: at first, and of a tool that has said much already. */
const tellMs = 500;
const tellSeldomMs = 5_000;
const toldOften = 100;

type Progress = ToolRun['progress'];

const boundedProgress = (clock: Clock, tell: Progress): { readonly progress: Progress; readonly end: () => void } => {
  let told = 0;
  let next = 0;
  let held: readonly OutputBlock[] | undefined;
  let stop: (() => void) | undefined;
  const say = (output: readonly OutputBlock[]): void => {
    told += 1;
    next = clock.elapsed() + (told < toldOften ? tellMs : tellSeldomMs);
    tell(output);
  };
  const progress: Progress = (output) => {
    const wait = next - clock.elapsed();
    if (wait <= 0 && !stop) {
      say(output);
      return;
    }
    held = output;
    stop ??= clock.after(wait, () => {
      stop = undefined;
      if (held) say(held);
      held = undefined;
    });
  };
  return { progress, end: () => stop?.() };
};

const runOf =
  ({ tool }: UsableTool, clock: Clock): Tool['run'] =>
  async (input: JsonObject, run) => {
    const { progress, end } = boundedProgress(clock, run.progress);
    try {
      if (tool.showsProgress) progress([progressBlock({ message: tool.title })]);
      return await tool.run(input, { ...run, progress });
    } finally {
      end();
    }
  };

const toolOf = (usable: UsableTool, clock: Clock): Tool => {
  const { tool, terms } = usable;
  const readOnly = terms.readOnly ?? tool.risk === 'low';
  return {
    spec: { name: tool.name, description: tool.description, inputSchema: tool.inputSchema },
    readOnly,
    replaySafe: readOnly || terms.idempotent === true,
    ...(tool.destructive ? { destructive: true } : {}),
    ...(tool.risk === 'high' ? { dangerous: true } : {}),
    title: tool.title,
    minitoolId: tool.minitoolId,
    ...(tool.minitoolName === undefined ? {} : { minitoolName: tool.minitoolName }),
    timeoutMs: terms.timeoutMs ?? Math.min(longestMs, Math.max(shortestMs, tool.timeoutMs)),
    run: runOf(usable, clock),
  };
};

export const minitoolEntry = (usable: UsableTool, clock: Clock): ToolEntry => {
  const tool = toolOf(usable, clock);
  return { terms: usable.terms, spec: tool.spec, executor: 'server', tool };
};
