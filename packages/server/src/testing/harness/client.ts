/** A client of an engine under test: the use cases, with the tedious parts filled in. */
import type { McpServer, ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { ModelPrice } from '@turnkeeper/core/protocol/wire/prices';
import type { TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import { answerActions } from '../../app/answer-actions.ts';
import type { App } from '../../app/app.ts';
import type { Caller, UserCaller } from '../../app/caller.ts';
import { cancelTurn, resumeTurn } from '../../app/control-turn.ts';
import { createSession } from '../../app/create-session.ts';
import { injectInput, steerTurn } from '../../app/inputs.ts';
import { listActions } from '../../app/list-actions.ts';
import { createAgent } from '../../app/manage-agents.ts';
import { isSettled, readTurn } from '../../app/read-turn.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { modelName } from './scripted-model.ts';
import { eventually } from './settle.ts';
import type { World } from './world.ts';

/** A user that belongs to nothing, unless said otherwise. */
export const userCaller = (id: string, more: Partial<UserCaller> = {}): UserCaller => ({
  type: 'user',
  id,
  name: id,
  admin: false,
  credentialId: null,
  spaces: new Map(),
  applications: new Map(),
  minitools: new Set(),
  ...more,
});
export const ann = userCaller('ann');
export const bob = userCaller('bob');

export type AgentSketch = {
  readonly tools?: readonly ToolDefinition[];
  readonly mcpServers?: readonly McpServer[];
  readonly maxIters?: number;
  readonly mode?: 'ask' | 'acceptCalls';
  readonly maxContextMessages?: number;
  readonly contextWindow?: number;
  readonly pricing?: ModelPrice;
  readonly subagents?: readonly { readonly agentId: string; readonly name: string; readonly description: string }[];
};

/** A tool of the server, as a definition names it. */
export const builtin = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition =>
  ({ type: 'builtin', name, permission: 'always_allow', ...more }) as ToolDefinition;
/** A tool of the application. */
export const external = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition =>
  ({ type: 'function', name, description: 'of the application', inputSchema: { type: 'object' }, ...more }) as ToolDefinition;

export type Client = {
  readonly agent: (sketch?: AgentSketch) => Promise<string>;
  readonly session: (agentId: string, more?: { readonly timeoutSeconds?: number }) => Promise<string>;
  /** Submits a text under a key (a fresh one unless given); the turn's id. */
  readonly submit: (sessionId: string, text: string, key?: string) => Promise<string>;
  readonly cancel: (sessionId: string, turnId: string, key?: string) => Promise<unknown>;
  readonly resume: (sessionId: string, turnId: string, key?: string) => Promise<unknown>;
  /** Says a text to a turn; the input's id. */
  readonly steer: (sessionId: string, turnId: string, text: string, key?: string) => Promise<string>;
  readonly inject: (sessionId: string, text: string, key?: string) => Promise<string>;
  readonly answer: (sessionId: string, turnId: string, requestId: string, payload: Record<string, unknown>, key?: string) => Promise<unknown>;
  readonly actions: (
    sessionId: string,
    turnId?: string,
  ) => Promise<
    readonly {
      readonly request_id: string;
      readonly child_session_id?: string;
      readonly kind: string;
      readonly tool_call?: { readonly name: string; readonly input: unknown };
    }[]
  >;
  readonly turn: (sessionId: string, turnId: string) => Promise<TurnResource>;
  /** The turn once it has an outcome (or this status); time moves on while it has none. */
  readonly until: (sessionId: string, turnId: string, status?: TurnResource['status']) => Promise<TurnResource>;
};

let made = 0;
/** A name that no other test of this process uses. */
export const fresh = (prefix: string): string => {
  made += 1;
  return `${prefix}-${made}`;
};

export const createClient = (world: Pick<World, 'engine'> & { readonly clock: Pick<World['clock'], 'advanceToNext'> }, caller: Caller = ann): Client => {
  const app = (): App => world.engine.app;
  const turn: Client['turn'] = (sessionId, turnId) => readTurn(app(), caller, sessionId, turnId);
  return {
    agent: async ({ tools = [], mcpServers, maxIters = 20, mode = 'acceptCalls', maxContextMessages, contextWindow, subagents, pricing } = {}) => {
      const definition = {
        system: 'test',
        model: modelName,
        maxIters,
        tools: [...tools],
        permissionMode: mode,
        ...(mcpServers ? { mcpServers: [...mcpServers] } : {}),
        ...(subagents ? { subagents: [...subagents] } : {}),
        ...(maxContextMessages === undefined ? {} : { maxContextMessages }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(pricing ? { pricing } : {}),
      };
      const { agent } = await createAgent(app(), userCaller('admin', { admin: true }), {
        agentKey: fresh('agent'),
        displayName: 'Agent',
        description: '',
        definition,
      });
      return agent.id;
    },
    session: async (id, more = {}) => (await createSession(app(), caller, { target: { type: 'agent', id }, ...more }, fresh('create'))).answer.id,
    submit: async (sessionId, text, key = fresh('submit')) => (await submitTurn(app(), caller, sessionId, { message: text }, key)).answer.id,
    cancel: (sessionId, turnId, key = fresh('cancel')) => cancelTurn(app(), caller, sessionId, turnId, key),
    resume: (sessionId, turnId, key = fresh('resume')) => resumeTurn(app(), caller, sessionId, turnId, key),
    steer: async (sessionId, turnId, message, key = fresh('steer')) =>
      (await steerTurn(app(), caller, { sessionId, turnId }, { message }, key)).answer.input_id,
    inject: async (sessionId, message, key = fresh('inject')) => (await injectInput(app(), caller, sessionId, { message }, key)).answer.input_id,
    answer: (sessionId, turnId, requestId, payload, key = fresh('answer')) =>
      answerActions(app(), caller, sessionId, turnId, { request_id: requestId, payload } as never, key),
    actions: async (sessionId, turnId) => Object.values((await listActions(app(), caller, sessionId, turnId)).required_actions) as never,
    turn,
    until: async (sessionId, turnId, status) =>
      eventually(
        `turn ${turnId} ${status ?? 'settled'}`,
        async () => {
          const now = await turn(sessionId, turnId).catch((error: unknown) => {
            if ((error as { code?: string }).code === 'storage_unavailable') return undefined;
            throw error;
          });
          return now && (status === undefined ? isSettled(now.status) : now.status === status) ? now : undefined;
        },
        { clock: world.clock },
      ),
  };
};
