/**
 * The tools of one held session: made when they are first needed, kept while it is held.
 *
 * N18 What a run opens for its tools is let go when the session is: connections of MCP servers outlast it only for a while.
 * TO9 A mini-tool that is about to run is waited for, for a while: after a start of the server its turns would go on without its
 *     tools, and a call that was made of one would find it gone.
 * TO6 A held session sees what mini-tools register, and take back, at its next step; one that uses none is not made to look.
 */
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import { type MinitoolUse, minitoolsUsed, minitoolUse, type UsableTool, usableTools } from '../app/minitool-terms.ts';
import { rolePlace } from '../app/role-place.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { McpTool, Tools } from '../ports/tool.ts';
import { minitoolEntry } from './minitool-entries.ts';
import { minitoolPrompts } from './minitool-prompts.ts';
import { searchEntry } from './search-entry.ts';
import { type TeamParts, teamParts } from './team/team-entries.ts';
import { type TeamServices, teamTools } from './team/team-tools.ts';
import type { ToolEntry } from './tool-entries.ts';
import { createToolSet, type ToolSet } from './tool-set.ts';

/** A set, and what it was made of. */
type Made = { readonly set: Promise<ToolSet>; readonly version: number; readonly found: SessionState['foundTools'] };

/** How long a mini-tool may take to start before a turn goes on without it, and how often it is looked at. */
const mostStartMs = 15_000;
const lookMs = 100;

export class SessionTools {
  readonly #tools: Tools;
  readonly #clock: Clock;
  readonly #team: TeamServices;
  #made: Made | undefined;
  #mcp: Promise<readonly McpTool[]> | undefined;
  /** Tools that need to be found: those that were there when the session was taken up (TO3). */
  #unoffered: ReadonlySet<string> | undefined;
  #letGo: (() => void) | undefined;

  constructor(tools: Tools, clock: Clock, team: TeamServices) {
    this.#tools = tools;
    this.#clock = clock;
    this.#team = team;
  }

  /** Throws `ToolsUnavailable` when a server that must be asked cannot be; the next time it is asked again. */
  async of(session: Session, signal: AbortSignal): Promise<ToolSet> {
    this.#hold(session.row.id);
    const use = minitoolUse(session);
    await this.#untilStarted(minitoolsUsed(use), signal);
    const version = minitoolsUsed(use).length > 0 ? this.#tools.minitools.version : 0;
    const found = session.state.foundTools;
    const made = this.#made?.version === version && sameNames(this.#made.found, found) ? this.#made : { version, found, set: this.#make(session, use, signal) };
    this.#made = made;
    try {
      return await made.set;
    } catch (error) {
      if (this.#made === made) this.#made = undefined;
      throw error;
    }
  }

  async #untilStarted(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const until = this.#clock.elapsed() + mostStartMs;
    while (ids.length > 0 && !signal.aborted && this.#clock.elapsed() < until && this.#tools.minitools.isStarting(ids)) {
      await sleep(this.#clock, lookMs, signal).catch(() => {});
    }
  }

  /** Whether its calls wait for others than the server (ports, MT4). */
  async takesNoSlot(session: Session, name: string, signal: AbortSignal): Promise<boolean> {
    if (minitoolsUsed(minitoolUse(session)).length === 0) return false;
    const set = await this.of(session, signal).catch(() => undefined);
    return set?.tool(name)?.minitoolId !== undefined;
  }

  /** The session is not held any more. */
  end(): void {
    this.#letGo?.();
    this.#letGo = undefined;
  }

  #hold(sessionId: Session['row']['id']): void {
    if (this.#letGo) return;
    this.#tools.runBegan(sessionId);
    this.#letGo = () => this.#tools.runEnded(sessionId);
  }

  async #make(session: Session, use: MinitoolUse, signal: AbortSignal): Promise<ToolSet> {
    const { row, config } = session;
    const mcp = await this.#mcpTools(session, signal);
    return createToolSet(
      config.target,
      this.#tools,
      mcp,
      rolePlace(row),
      withTeam(this.#ofMinitools(use, session.state.foundTools), teamParts(config, teamTools(session, this.#team))),
    );
  }

  async #mcpTools({ row, config }: Session, signal: AbortSignal): Promise<readonly McpTool[]> {
    if (!config.target.definition.mcpServers?.length) return [];
    this.#mcp ??= this.#tools.mcp(config.target, { sessionId: row.id, signal });
    try {
      return await this.#mcp;
    } catch (error) {
      this.#mcp = undefined;
      throw error;
    }
  }

  #ofMinitools(use: MinitoolUse, found: readonly string[] = []): MinitoolParts {
    if (minitoolsUsed(use).length === 0) return {};
    const usable = usableTools(use, this.#tools.minitools);
    this.#unoffered ??= namesOfDynamic(usable);
    return minitoolParts(use, this.#tools, this.#clock, { unoffered: this.#unoffered, found });
  }
}

/** Tools that need to be found before a model is told of them. */
const namesOfDynamic = (usable: readonly UsableTool[]): ReadonlySet<string> =>
  new Set(usable.filter(({ tool }) => tool.exposure === 'dynamic').map(({ tool }) => tool.name));

type MinitoolParts = { readonly entries?: readonly ToolEntry[]; readonly prompt?: string };

/** What the mini-tools that a session uses give to it, as they are registered now. `found`: what its model has found of `unoffered`. */
export const minitoolParts = (
  use: MinitoolUse,
  tools: Tools,
  clock: Clock,
  { unoffered, found }: { readonly unoffered?: ReadonlySet<string>; readonly found: readonly string[] },
): MinitoolParts => {
  if (minitoolsUsed(use).length === 0) return {};
  const usable = usableTools(use, tools.minitools);
  const unknown = unoffered ?? namesOfDynamic(usable);
  const search = searchEntry(use, tools);
  const entryOf = (each: UsableTool): ToolEntry => {
    const hidden = unknown.has(each.tool.name) && !found.includes(each.tool.name);
    return { ...minitoolEntry(each, clock), ...(hidden ? { hidden } : {}) };
  };
  return { entries: [...(search ? [search] : []), ...usable.map(entryOf)], prompt: minitoolPrompts(use, usable, tools.minitools) };
};

/** With what the session has by itself; what that says to the model stands first, as it never changes. */
export const withTeam = ({ entries = [], prompt = '' }: MinitoolParts, team: TeamParts): MinitoolParts & TeamParts => ({
  entries,
  ...(team.own ? { own: team.own } : {}),
  prompt: `${team.prompt ?? ''}${prompt}`,
});

const sameNames = (a: readonly string[] = [], b: readonly string[] = []): boolean => a.length === b.length && a.every((name, n) => name === b[n]);
