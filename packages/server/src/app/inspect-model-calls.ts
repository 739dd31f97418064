/**
 * Use cases: the model calls of a turn, and what the model was shown and said at one.
 *
 * What it was shown is not kept: it is put together again from the private context, which is only appended to, as it stood when
 * the call was made (MJ1, C2).
 *
 * IQ1 Nothing of a request or an answer leaves by any other way: no event, export, webhook or log line holds any of it.
 * IQ2 What cannot be told as it was then is named, never passed off as what was sent.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { InspectedMessage, ModelCallDetail, ModelCallResource, ModelCallsPage, RequestDifference } from '@turnkeeper/core/protocol/wire/model-calls';
import type { AssistantPart, ContextRow, PromptMessage } from '@turnkeeper/core/session/context';
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { type ModelCall, modelCallsOf } from '@turnkeeper/core/view/model-calls';
import type { ModelRequest } from '../ports/model.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { findSession } from './find-session.ts';
import type { Session } from './lane.ts';
import { readLogPage } from './log-pages.ts';
import { readContext } from './read-context.ts';
import { findTurn } from './read-turn.ts';

export type RebuiltRequest = { readonly request: Omit<ModelRequest, 'files'>; readonly differs: readonly RequestDifference[] };

/** A call, and the context as it stood when it was made. `keepFrom`: of a compaction that came to its end, the first row that it kept. */
export type CallToRebuild = { readonly call: ModelCall; readonly rows: readonly ContextRow[]; readonly keepFrom: number | undefined };

/** Puts together what a call was made with, by the rules by which the runner makes calls. */
export type RequestRebuilder = (session: Session, call: CallToRebuild) => Promise<RebuiltRequest>;

const told: ReadonlySet<string> = new Set([
  'run.started',
  'item.started',
  'item.completed',
  'model.completed',
  'usage.recorded',
  'context.compacted',
  'tool.completed',
  'input.applied',
  'turn.failed',
]);

type Placed = { readonly call: ModelCall; readonly firstSeq: number; readonly answerSeq: number | undefined };

/** From the turn's events that are kept. */
const callsOf = async (app: App, session: Session, turnId: string): Promise<readonly Placed[]> => {
  const { sid } = session.head;
  const { body, firstSeq } = await findTurn(app, session, turnId);
  const events: LoggedEvent[] = [];
  const seqs: number[] = [];
  for (let after = firstSeq - 1; ; ) {
    const { rows, full } = await readLogPage(app.sessions.store, { sid, after, turn: body.n });
    for (const { type, at, data, seq } of rows) {
      if (!told.has(type)) continue;
      events.push({ type, at, data: JSON.parse(data) } as LoggedEvent);
      seqs.push(seq);
    }
    after = rows.at(-1)?.seq ?? after;
    if (!full) break;
  }
  return modelCallsOf(events).map((call) => ({
    call,
    firstSeq: seqs[call.first] ?? 0,
    answerSeq: call.answered === undefined ? undefined : seqs[call.answered],
  }));
};

const resourceOf = ({ first: _, answered: __, refusals: ___, ...call }: ModelCall): ModelCallResource => call;

/** In the order in which they were made. Throws `not_found`, `forbidden`, `not_supported`. */
export const listModelCalls = async (
  app: App,
  caller: Caller,
  { sessionId, turnId }: { readonly sessionId: string; readonly turnId: string },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ModelCallsPage> => {
  const { session } = await findSession(app, caller, sessionId, 'inspect');
  const calls = await callsOf(app, session, turnId);
  const items = calls.slice(offset, offset + limit).map(({ call }) => resourceOf(call));
  return { items, next_offset: calls.length > offset + limit ? offset + limit : null };
};

/** Throws `not_found`, `forbidden`, `not_supported`. */
export const inspectModelCall = async (
  app: App,
  caller: Caller,
  { sessionId, turnId, modelCallId }: { readonly sessionId: string; readonly turnId: string; readonly modelCallId: string },
): Promise<ModelCallDetail> => {
  const { session } = await findSession(app, caller, sessionId, 'inspect');
  const placed = (await callsOf(app, session, turnId)).find(({ call }) => call.id === modelCallId);
  if (!placed) throw new TurnkeeperError('not_found', 'There is no such model call.');
  const { call, firstSeq, answerSeq } = placed;
  const { sid } = session.head;
  const answer = answerSeq === undefined ? undefined : await rowAt(app, sid, answerSeq);
  const keepFrom = answer?.entry.kind === 'compacted' ? answer.entry.keepFrom : undefined;
  const rows = await readContext(app.sessions.store, sid, firstSeq - 1);
  const { request, differs } = await app.rebuildRequest(session, { call, rows, keepFrom });
  return {
    ...resourceOf(call),
    ...{ exact: differs.length === 0, differs: [...differs] },
    request: {
      ...{ model: request.model, system: request.system },
      messages: request.messages.map(messageOf),
      tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema as Record<string, never> })),
      temperature: request.temperature ?? null,
    },
    response: responseOf(answer) ?? (await partialOf(app, sid, call)),
  };
};

/** What of the context rests on the event. */
const rowAt = async (app: App, sid: number, seq: number): Promise<ContextRow | undefined> => {
  const rows = await readContext(app.sessions.store, sid, seq);
  return rows.findLast(({ n }) => n === seq);
};

type Response = NonNullable<ModelCallDetail['response']>;
type Part = Response['content'][number];

const responseOf = (answer: ContextRow | undefined): Response | undefined => {
  const entry = answer?.entry;
  if (entry?.kind === 'compacted') return { content: [{ type: 'text', text: entry.summary }], complete: true };
  return entry?.kind === 'message' && entry.message.role === 'assistant' ? { content: entry.message.content.map(partOf), complete: true } : undefined;
};

/** What everybody saw of an answer that the model is not shown whole. */
const partialOf = async (app: App, sid: number, { itemId }: ModelCall): Promise<Response | null> => {
  const row = await app.sessions.store.resource(sid, itemId);
  if (row?.kind !== 'item') return null;
  const { item } = JSON.parse(row.body) as ItemBody;
  const content = item.content.flatMap((block): Part[] => (block.type === 'text' || block.type === 'tool_use' ? [block] : []));
  return content.length === 0 ? null : { content, complete: item.status === 'completed' };
};

const partOf = (part: AssistantPart): Part => {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text };
    case 'tool_call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input as Record<string, never> };
  }
};

const messageOf = (message: PromptMessage): InspectedMessage => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [...message.content] };
    case 'assistant':
      return { role: 'assistant', content: message.content.map(partOf) };
    case 'tool':
      return {
        role: 'tool',
        results: message.results.map(({ callId, name, output, isError }) => ({ tool_call_id: callId, name, output: [...output], is_error: isError })),
      };
  }
};
