/**
 * Arguments that a person edited while allowing a call, held to the tool's schema before the answer is taken.
 *
 * A12 Whoever runs the call, this server or an application, is given edited arguments that the frozen definition's schema
 *    takes; what does not fit is refused to whoever edited it, by its place.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { namedTools } from '@turnkeeper/core/protocol/wire/agents';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { Answer } from '@turnkeeper/core/session/commands';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { ToolsUnavailable } from '../ports/tool.ts';
import type { App } from './app.ts';
import type { Session } from './lane.ts';
import { minitoolUse, usableTools } from './minitool-terms.ts';

/** For a server of tools whose list is not kept any more. */
const listMs = 10_000;

/** An answer, with the pointer to its members within the request. */
export type PlacedAnswer = { readonly answer: Answer; readonly action: ActionBody; readonly at: string };

const schemaOf = async (app: App, { row, config }: Session, name: string): Promise<JsonObject | undefined> => {
  const { definition } = config.target;
  const defined = namedTools(definition.tools).find((tool) => tool.name === name);
  if (defined) return defined.type === 'builtin' ? app.tools.builtin(name)?.spec.inputSchema : (defined.inputSchema as JsonObject);
  const usable = usableTools(minitoolUse({ row, config }), app.tools.minitools).find(({ tool }) => tool.name === name);
  if (usable) return usable.tool.inputSchema;
  if (!definition.mcpServers?.length) return undefined;
  try {
    const offered = await app.tools.mcp(config.target, { sessionId: row.id, signal: AbortSignal.timeout(listMs) });
    return offered.find(({ tool }) => tool.spec.name === name)?.tool.spec.inputSchema;
  } catch (error) {
    // This server holds the call to the schema again before it runs it (L6): there it is told.
    if (error instanceof ToolsUnavailable || (error instanceof DOMException && error.name === 'TimeoutError')) return undefined;
    throw error;
  }
};

/** What of edited arguments their tools' schemas refuse, by JSON pointer within the request. */
export const editedInputFaults = async (app: App, session: Session, answers: readonly PlacedAnswer[]): Promise<readonly Fault[]> => {
  const faults: Fault[] = [];
  for (const { answer, action, at } of answers) {
    const { payload } = answer;
    const name = action.tool_call?.name;
    if (payload.kind !== 'confirmation' || !payload.allow || payload.input === undefined || name === undefined) continue;
    const schema = await schemaOf(app, session, name);
    const unfit = schema ? await app.tools.inputFaults(schema, payload.input) : [];
    faults.push(...unfit.map(({ pointer, detail }) => ({ pointer: `${at}/input${pointer}`, detail })));
  }
  return faults;
};
