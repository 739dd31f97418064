/**
 * What a child session is made for: a call of `delegate`, or a step of a workflow.
 *
 * CF5 It is read where the intent was written down: what a child is told, and what it is frozen as, follow from its parent's log and
 *     frozen configuration alone, whoever makes it and whenever.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { TurnInput } from '@turnkeeper/core/protocol/wire/sessions';
import { parentTurnOf, type SessionId, stepId, type TurnId } from '@turnkeeper/core/session/ids';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { SessionStore } from '../ports/session-store.ts';
import { askedMessages } from './asked-messages.ts';
import { childConfig } from './freeze-family.ts';
import { stepConfig } from './freeze-target.ts';
import type { FrozenConfig } from './frozen-config.ts';
import { judgeConfig, judgeMessage, type PinnedAgent } from './judge-config.ts';
import type { Session } from './lane.ts';
import { type AcceptedInput, acceptedInput } from './turn-input.ts';
import { type Begun, type WantedPiece, wantedPiece } from './wanted-piece.ts';

export type WantedChild = {
  /** The member, the subagent, or the node. */
  readonly name: string;
  /** Undefined where nobody has the name. */
  readonly config: FrozenConfig | undefined;
  /** Or why it can be told nothing. */
  readonly input: AcceptedInput | { readonly fault: string };
  /** The context that it begins with, where that is not empty. */
  readonly begins?: Begun;
};

/** Calls and steps of a turn that are looked through for the one that a child was made for. */
const mostParts = 10_000;

export type Wanting = { readonly store: SessionStore; readonly pinned: PinnedAgent };

export const wantedChild = async ({ store, pinned }: Wanting, parent: Session, childId: SessionId): Promise<WantedChild> => {
  const judged = await judgedBy(store, parent, childId);
  if (judged) return ofJudge(judged, parent, { store, pinned });
  const { workflow, team } = parent.config.target;
  if (workflow) return ofStep(await stepFor(store, parent, childId), parent);
  return team ? ofPiece(await wantedPiece(store, parent, childId), parent) : ofCall(await callFor(store, parent, childId), parent);
};

/** The turn that this child judges, or was to judge before that turn ended; undefined where it is no judge. */
const judgedBy = async (store: SessionStore, { head, state }: Session, childId: SessionId): Promise<TurnBody | undefined> => {
  const isJudge = state.live?.check?.judge === childId || state.children?.some(({ id, judge }) => id === childId && judge);
  const row = isJudge ? await store.resource(head.sid, parentTurnOf(childId)) : undefined;
  return row && (JSON.parse(row.body) as TurnBody);
};

const ofJudge = async (turn: TurnBody, { head, config }: Session, { store, pinned }: Wanting): Promise<WantedChild> => {
  const { rubric } = turn.outcome ?? {};
  const agent = rubric && (await pinned(rubric.agent_id, rubric.version));
  const asked = await askedMessages(store, { sid: head.sid, turnId: turn.turn_id as TurnId, n: turn.n });
  return { name: 'judge', config: agent && judgeConfig(config, agent), input: heard(() => acceptedInput({ message: judgeMessage(turn, asked) })) };
};

const nothingSaid = { fault: 'Nothing was said: give a message.' };

const ofPiece = ({ name, message, begins }: WantedPiece, { config }: Session): WantedChild => {
  const input = message.trim() === '' ? nothingSaid : heard(() => acceptedInput({ message }));
  return { name, config: childConfig(config, name), input, ...(begins ? { begins } : {}) };
};

const ofCall = (call: ToolBody | undefined, { config }: Session): WantedChild => {
  const { name, message } = call?.input ?? {};
  const wanted = typeof name === 'string' ? name : '';
  const said = typeof message === 'string' && message.trim() !== '' ? acceptedInput({ message }) : nothingSaid;
  return { name: wanted, config: childConfig(config, wanted), input: said };
};

const ofStep = (step: StepBody | undefined, { config }: Session): WantedChild => {
  const key = step?.key ?? '';
  const found = stepConfig(config, key);
  return { name: key, config: found, input: found ? told(step?.input ?? {}, found) : nothingSaid };
};

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a node's input is to its target: an agent and a team are told `message`, and the rest as data. */
const inputFor = (input: Json, { target }: FrozenConfig): TurnInput | undefined => {
  if (target.type === 'workflow' || !isObject(input)) return { input };
  const { message, ...rest } = input;
  if (message === undefined) return Object.keys(rest).length === 0 ? undefined : { input };
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  if (text.trim() === '') return undefined;
  if (Object.keys(rest).length === 0) return { message: text };
  return {
    input: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'data', data: rest },
        ],
      },
    ],
  };
};

const told = (input: Json, config: FrozenConfig): WantedChild['input'] => {
  const said = inputFor(input, config);
  return said ? heard(() => acceptedInput(said, config.target.type)) : { fault: 'Its input says nothing: give it a `message`.' };
};

/** What is too long to be told is said to be. */
const heard = (accept: () => AcceptedInput): WantedChild['input'] => {
  try {
    return accept();
  } catch (error) {
    if (error instanceof TurnkeeperError && error.code === 'payload_too_large') return { fault: error.message };
    throw error;
  }
};

const stepFor = async (store: SessionStore, { head, state }: Session, childId: SessionId): Promise<StepBody | undefined> => {
  const turnId = parentTurnOf(childId);
  const step = state.live?.id === turnId ? state.live.flow?.steps.find((entry) => entry.childId === childId) : undefined;
  if (step) {
    const row = await store.resource(head.sid, stepId(turnId, step.key, state.live?.flow?.tries));
    return row && (JSON.parse(row.body) as StepBody);
  }
  // Its turn is over: the step is found by the child.
  const page = await store.resources(head.sid, [{ kind: 'step', idPrefix: stepId(turnId, ''), limit: mostParts }]);
  return page?.resources[0]?.map(({ body }) => JSON.parse(body) as StepBody).find(({ child_session_id }) => child_session_id === childId);
};

const callFor = async (store: SessionStore, { head, state }: Session, childId: SessionId): Promise<ToolBody | undefined> => {
  const turnId = parentTurnOf(childId);
  const call = state.live?.id === turnId ? state.live.calls.find((entry) => entry.childId === childId) : undefined;
  if (call) {
    const row = await store.resource(head.sid, `${turnId}:${call.id}`);
    return row && (JSON.parse(row.body) as ToolBody);
  }
  const page = await store.resources(head.sid, [{ kind: 'tool', idPrefix: `${turnId}:`, limit: mostParts }]);
  return page?.resources[0]?.map(({ body }) => JSON.parse(body) as ToolBody).find(({ child_session_id }) => child_session_id === childId);
};
