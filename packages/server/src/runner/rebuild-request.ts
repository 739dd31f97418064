/**
 * What a model call was made with, put together once more.
 *
 * The same rules make calls (model-step.ts): the frozen definition, the context as it stood, the tools of the definition. What
 * others give beside those is as they give it now, and is said to be so (IQ2).
 */
import type { RequestDifference } from '@turnkeeper/core/protocol/wire/model-calls';
import { summarizedBefore } from '@turnkeeper/core/session/compaction';
import { type PromptMessage, visibleRows } from '@turnkeeper/core/session/context';
import type { CallToRebuild, RequestRebuilder } from '../app/inspect-model-calls.ts';
import type { Session } from '../app/lane.ts';
import { minitoolsUsed, minitoolUse } from '../app/minitool-terms.ts';
import { rolePlace } from '../app/role-place.ts';
import type { SessionFiles } from '../app/session-files.ts';
import type { Clock } from '../ports/clock.ts';
import type { McpTool, Tools } from '../ports/tool.ts';
import { minitoolParts, withTeam } from './session-tools.ts';
import { promptOfRows } from './step-prompt.ts';
import { teamParts } from './team/team-entries.ts';
import { createToolSet, type ToolSet } from './tool-set.ts';
import { outputInstruction } from './turn-output.ts';

export type RebuilderParts = { readonly tools: Tools; readonly files: SessionFiles; readonly clock: Clock };

type Shown = { readonly set: ToolSet; readonly differs: readonly RequestDifference[] };

/** Only what is kept: no server is asked, and no program started, because somebody looks. */
const keptMcpTools = async ({ row, config: { target } }: Session, tools: Tools): Promise<readonly McpTool[] | undefined> => {
  if (!target.definition.mcpServers?.length) return [];
  return tools.mcp(target, { sessionId: row.id, signal: AbortSignal.abort() }).catch(() => undefined);
};

const shownTools = async (session: Session, { tools, clock }: RebuilderParts): Promise<Shown> => {
  const use = minitoolUse(session);
  const mcp = await keptMcpTools(session, tools);
  const found = session.state.foundTools ?? [];
  const set = createToolSet(
    session.config.target,
    tools,
    mcp ?? [],
    rolePlace(session.row),
    withTeam(minitoolParts(use, tools, clock, { found }), teamParts(session.config)),
  );
  if (minitoolsUsed(use).length > 0) return { set, differs: ['system', 'tools'] };
  return { set, differs: mcp ? [] : ['tools'] };
};

type Messages = { readonly messages: readonly PromptMessage[]; readonly isSummary: boolean; readonly differs: readonly RequestDifference[] };

const messagesOf = (session: Session, { call, rows, keepFrom }: CallToRebuild, tools: ToolSet): Messages => {
  const { definition } = session.config.target;
  const { messages, due } = promptOfRows(rows, { definition, tools, refusals: call.refusals });
  if (keepFrom !== undefined) {
    if (due?.keepFrom === keepFrom) return { messages: due.messages, isSummary: true, differs: [] };
    const whole = summarizedBefore(visibleRows(rows), keepFrom);
    return { messages: whole ?? messages, isSummary: true, differs: ['messages'] };
  }
  // It was refused or stopped before it told anything: what it was made for is seen by what was due.
  const isSummary = call.answered === undefined && call.startedAt === call.endedAt && due !== undefined;
  return { messages: isSummary ? due.messages : messages, isSummary, differs: [] };
};

const lostFiles = async (session: Session, messages: readonly PromptMessage[], files: SessionFiles): Promise<readonly RequestDifference[]> => {
  const blocks = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
  const ids = [...new Set(blocks.flatMap((block) => (block.type === 'file' ? [block.file_id] : [])))];
  if (ids.length === 0) return [];
  const there = await files.index.filesOf(session.row.id, ids);
  return there.length < ids.length ? ['files'] : [];
};

export const createRequestRebuilder =
  (parts: RebuilderParts): RequestRebuilder =>
  async (session, wanted) => {
    const { config } = session;
    const { definition } = config.target;
    const { set, differs } = await shownTools(session, parts);
    const shown = messagesOf(session, wanted, set);
    const system = `${definition.system}${set.prompt}`;
    return {
      request: {
        model: wanted.call.model ?? definition.model,
        system: shown.isSummary ? system : `${system}${outputInstruction(config.schemas)}`,
        messages: shown.messages,
        tools: set.specs,
        ...(definition.temperature === undefined ? {} : { temperature: definition.temperature }),
      },
      differs: [...shown.differs, ...differs, ...(await lostFiles(session, shown.messages, parts.files))],
    };
  };
