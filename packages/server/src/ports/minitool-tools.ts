/**
 * Port: the tools that running mini-tools have registered.
 *
 * Contract
 * MT1 The model knows a tool as `<mini-tool's id>_<name>`, its hyphens as they are. A name belongs to one mini-tool, and is one that
 *     model providers take: letters, digits, _ and -, at most 64. Where it would not be, the tool is not registered.
 * MT2 `run` passes the input to the mini-tool that registered the tool; it rejects with a plain Error where the mini-tool says so, and
 *     with `ToolLost` where its process ended in between: then the outcome is unknown.
 * MT3 `version` changes with everything that `list` and `searchable` would say.
 * MT4 A run holds no slot of the runner: it may wait for people (`ToolRun.ask`), or for sessions that need slots themselves.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ToolAnswer, ToolRun } from './tool.ts';

export type MinitoolTool = {
  readonly minitoolId: string;
  /** What its mini-tool is called, for people. */
  readonly minitoolName?: string;
  /** As the model is told. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** `low`: it only reads. `medium`: people are asked in mode `ask`. `high`: they are asked each time there. */
  readonly risk: 'low' | 'medium' | 'high';
  /** What it does cannot be undone: people are asked in every mode. */
  readonly destructive?: boolean;
  /** Clamped to 15–600 s. */
  readonly timeoutMs: number;
  readonly defaultEnabled: boolean;
  readonly exposure: 'startup' | 'dynamic';
  readonly showsProgress: boolean;
  readonly run: (input: JsonObject, run: ToolRun) => Promise<ToolAnswer>;
};

/** The mini-tool's process ended while its tool ran. */
export class ToolLost extends Error {
  override readonly name = 'ToolLost';
}

export type FoundTool = { readonly toolName: string; readonly title?: string; readonly description?: string; readonly source?: string };

export interface MinitoolTools {
  readonly version: number;
  list(): readonly MinitoolTool[];
  /** One of these is about to run here: the server has just started, or it crashed and is started again. */
  isStarting(minitoolIds: readonly string[]): boolean;
  /** Another node runs them, or did until just now: sessions that use their tools run there (app/hosted-sessions.ts). */
  areElsewhere(): boolean;
  /** What the mini-tool says to the models of agents that have its tools; undefined where it says nothing. */
  prompt(minitoolId: string): string | undefined;
  /** Ids of the mini-tools that have discovery providers. */
  searchable(): readonly string[];
  /** Asks the discovery providers of these mini-tools; one that fails or is slow is left out. */
  search(minitoolIds: readonly string[], query: { readonly query: string; readonly limit: number }, sessionId: string): Promise<readonly FoundTool[]>;
}

/** How a tool says how far it is. `percent`: 0–100. */
export type ToolProgress = { readonly stage?: string | undefined; readonly message: string; readonly percent?: number | undefined };

/** A report of progress as those who watch the call are shown it. */
export const progressBlock = ({ stage, message, percent }: ToolProgress): OutputBlock => ({
  type: 'data',
  data: { type: 'progress', ...(stage === undefined ? {} : { stage }), message, ...(percent === undefined ? {} : { percent }) },
});

export const noMinitoolTools: MinitoolTools = {
  version: 0,
  list: () => [],
  isStarting: () => false,
  areElsewhere: () => false,
  prompt: () => undefined,
  searchable: () => [],
  search: async () => [],
};
