/**
 * What a child session is made for that works on a piece of a team's turn, and how such a piece is asked for.
 *
 * TV4 A member that is asked again begins with what its context was at the end of that step; each attempt does.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { PieceTerms } from '@turnkeeper/core/session/commands';
import { estimatedTokens } from '@turnkeeper/core/session/compaction';
import { assemblePrompt, type PromptMessage, visibleRows } from '@turnkeeper/core/session/context';
import { isEnd } from '@turnkeeper/core/session/flow';
import { parentTurnOf, type SessionId, stepId, type TurnId } from '@turnkeeper/core/session/ids';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { SessionStore } from '../ports/session-store.ts';
import { forkedContext } from './forked-context.ts';
import type { FrozenConfig } from './frozen-config.ts';
import type { Session } from './lane.ts';
import { readContext } from './read-context.ts';
import { notesFor, withNotes } from './team-notes.ts';
import { childOfStep, stepsOfTurn } from './team-steps.ts';

export type Begun = { readonly messages: readonly PromptMessage[]; readonly tokens: number };
export type WantedPiece = { readonly name: string; readonly message: string; readonly begins?: Begun };

const textIn = (input: StepBody['input'], name: string): string | undefined => {
  const value = typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as JsonObject)[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** What a step's child knew when it ended; undefined where that child is not there any more. */
const contextOf = async (store: SessionStore, step: StepBody | undefined): Promise<Begun | undefined> => {
  const child = step && childOfStep(step);
  const loaded = child && (await store.load(child));
  if (!loaded || loaded.row.deletedAt !== null) return undefined;
  const rows = await readContext(store, loaded.head.sid);
  return { messages: forkedContext(assemblePrompt(rows)), tokens: estimatedTokens(visibleRows(rows), 0) };
};

/** The piece that this child is to work on. */
export const wantedPiece = async (store: SessionStore, { head: { sid }, state }: Session, childId: SessionId): Promise<WantedPiece> => {
  const turnId = parentTurnOf(childId);
  const link = state.children?.find(({ id }) => id === childId);
  const row = await store.resource(sid, stepId(turnId, link?.piece?.key ?? ''));
  const step = row && (JSON.parse(row.body) as StepBody);
  if (!step) return { name: '', message: '' };
  const earlier = textIn(step.input, 'continue');
  const before = earlier === undefined ? undefined : await store.resource(sid, earlier);
  const begins = before && (await contextOf(store, JSON.parse(before.body) as StepBody));
  const message = withNotes(textIn(step.input, 'message') ?? '', await notesFor(store, sid, turnId, step));
  return { name: step.name ?? '', message, ...(begins && begins.messages.length > 0 ? { begins } : {}) };
};

type Asked = { readonly piece: PieceTerms } | { readonly refusal: string };

const retryOf = ({ target: { team } }: FrozenConfig, name: string): Pick<PieceTerms, 'retry'> => {
  const retry = team?.members.find((member) => member.name === name)?.retry;
  return retry && retry.maxAttempts > 1 ? { retry: { left: retry.maxAttempts - 1, backoffMs: Math.round(retry.backoffSeconds * 1_000) } } : {};
};

const continueFault = (step: StepBody, member: string): string | undefined => {
  if (!isEnd(step.status)) return `${step.step_id} is still worked on: wait for its result, or tell ${step.name ?? 'its member'} something with send_note.`;
  return step.name === member
    ? undefined
    : `${step.step_id} was done by ${step.name ?? 'another member'}, who alone can go on with it. For ${member} use instead_of, or a new piece.`;
};

const insteadFault = ({ step_id, status }: StepBody): string | undefined =>
  status === 'failed' || status === 'timed_out' || status === 'cancelled'
    ? undefined
    : `${step_id} has not failed: it is ${status}. Use continue, or a new piece.`;

/** How the piece is worked on that the leader asks for with this input, or why it cannot be asked for so. */
export const askedPiece = async (store: SessionStore, { head, config }: Session, turnId: TurnId, input: JsonObject): Promise<Asked> => {
  const [member, again, instead] = [textIn(input, 'member') ?? '', textIn(input, 'continue'), textIn(input, 'instead_of')];
  const retry = retryOf(config, member);
  const id = again ?? instead;
  if (id === undefined) return { piece: retry };
  if (again !== undefined && instead !== undefined) return { refusal: 'Not delegated: give either continue or instead_of.' };
  const step = (await stepsOfTurn(store, head.sid, turnId)).find(({ step_id }) => step_id === id);
  if (!step) return { refusal: `Not delegated: there is no step ${id} in this task. team_status lists those that there are.` };
  const fault = again === undefined ? insteadFault(step) : continueFault(step, member);
  return fault === undefined ? { piece: { ...retry, of: step.of ?? step.key } } : { refusal: `Not delegated: ${fault}` };
};
