/**
 * The client: typed calls and streams of the Session API, for browsers and Node 20 or newer.
 *
 * Calls throw `TurnkeeperError` (core/protocol/errors) when the server refuses, told apart by `code`, and
 * `UnreachableError` when no answer came.
 */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { type AccountCalls, createAccountCalls, createTokenCalls, type TokenCalls } from './calls/account.ts';
import { type ActionCalls, createActionCalls } from './calls/actions.ts';
import { type AgentCalls, createAgentCalls, listModels, type ModelInfo } from './calls/agents.ts';
import { type ApplicationCalls, type CredentialCalls, createApplicationCalls, createCredentialCalls } from './calls/applications.ts';
import { type AuditCalls, createAuditCalls } from './calls/audit.ts';
import { type BudgetCalls, createBudgetCalls } from './calls/budgets.ts';
import { type ContextCalls, createContextCalls } from './calls/context.ts';
import { type ArtifactCalls, createArtifactCalls, createFileCalls, type FileCalls } from './calls/files.ts';
import { createInputCalls, createQueueCalls, type InputCalls, type QueueCalls } from './calls/inputs.ts';
import { createMinitoolCalls, type MinitoolCalls } from './calls/minitools.ts';
import { createOverviewCall, type OverviewCall } from './calls/overview.ts';
import { createPinCalls, type PinCalls } from './calls/pins.ts';
import { type ClientTokenCalls, createClientTokenCalls, createScheduleCalls, type ScheduleCalls } from './calls/schedules.ts';
import { createSecretCalls, type SecretCalls } from './calls/secrets.ts';
import { createServerCalls, type ServerCalls } from './calls/server.ts';
import { createSessionCalls, type SessionCalls } from './calls/sessions.ts';
import { createSpaceCalls, type SpaceCalls } from './calls/spaces.ts';
import { createSubagentCalls, type SubagentCalls } from './calls/subagents.ts';
import { createTeamCalls, type TeamCalls } from './calls/teams.ts';
import { createTurnCalls, type TurnCalls } from './calls/turns.ts';
import { createUsageCalls, type UsageCalls } from './calls/usage.ts';
import { createUserCalls, type UserCalls } from './calls/users.ts';
import { createWebhookCalls, type WebhookCalls } from './calls/webhooks.ts';
import { createWorkflowCalls, type WorkflowCalls } from './calls/workflows.ts';
import type { FeedOptions } from './stream/session-feed.ts';
import { createSessionWatches, type SessionWatch } from './stream/session-watches.ts';
import { type StreamTreeOptions, streamTree, type TreeEnvelope } from './stream/stream-tree.ts';
import { type StreamTurnOptions, streamTurn } from './stream/stream-turn.ts';
import { type WaitOptions, type WaitResult, waitForTurn } from './stream/wait-for-turn.ts';
import { createTransport, type TransportOptions } from './transport/transport.ts';

export type ClientOptions = TransportOptions & FeedOptions & { /** See session-watches.ts. */ readonly lingerMs?: number };

export type Client = {
  readonly baseUrl: string;
  readonly account: AccountCalls;
  /** One's personal tokens. */
  readonly tokens: TokenCalls;
  readonly agents: AgentCalls;
  /** A leader and its members, as a target of sessions. */
  readonly teams: TeamCalls;
  /** Graphs of steps: drafts and published revisions. */
  readonly workflows: WorkflowCalls;
  readonly sessions: SessionCalls;
  /** The sessions that one keeps at hand. */
  readonly pins: PinCalls;
  readonly overview: OverviewCall;
  readonly turns: TurnCalls;
  /** Child sessions: those that a session delegated to. */
  readonly subagents: SubagentCalls;
  /** Checkpoints, restores and forks of what the model is shown. */
  readonly context: ContextCalls;
  /** What is said to a turn that is under way, or for whichever turn comes. */
  readonly inputs: InputCalls;
  /** The turns of a session that wait. */
  readonly queue: QueueCalls;
  /** What waits for an answer: confirmations, questions, tools of the application. */
  readonly actions: ActionCalls;
  readonly files: FileCalls;
  /** What sessions show as their results. */
  readonly artifacts: ArtifactCalls;
  /** What a session may use. */
  readonly budgets: BudgetCalls;
  /** What was used over a time. */
  readonly usage: UsageCalls;
  readonly users: UserCalls;
  readonly spaces: SpaceCalls;
  readonly applications: ApplicationCalls;
  /** Applications' keys. */
  readonly credentials: CredentialCalls;
  readonly secrets: SecretCalls;
  readonly audit: AuditCalls;
  /** The server itself, for admins. */
  readonly server: ServerCalls;
  readonly webhooks: WebhookCalls;
  /** Third-party packages that extend the service. */
  readonly minitools: MinitoolCalls;
  /** Turns that are created by time. */
  readonly schedules: ScheduleCalls;
  /** Tokens for browsers, each for one session. */
  readonly clientTokens: ClientTokenCalls;
  /** Models of the providers that are configured. */
  readonly models: () => Promise<readonly ModelInfo[]>;
  /** Waits for a turn's outcome, also over restarts of the server. */
  readonly waitForTurn: (sessionId: string, turnId: string, options?: WaitOptions) => Promise<WaitResult>;
  /** The view of the session, or of one below it, kept up to date over one connection that all watchers share. */
  readonly watchSession: (sessionId: string, childId?: string) => SessionWatch;
  /** Ends the back-off of all watched sessions at once: the server is known to answer again. */
  readonly retryNow: () => void;
  /** The events of a session and of its open children, as one run. */
  readonly streamTree: (sessionId: string, options?: StreamTreeOptions) => AsyncGenerator<TreeEnvelope, void, undefined>;
  /** The events of a turn up to its outcome. */
  readonly streamTurn: (sessionId: string, turnId: string, options?: StreamTurnOptions) => AsyncGenerator<Envelope, void, undefined>;
  /** Closes all streams. Nothing on the server is cancelled. */
  readonly close: () => void;
};

export const createClient = (options: ClientOptions): Client => {
  const transport = createTransport(options);
  const watches = createSessionWatches(transport, options);
  return {
    baseUrl: options.baseUrl,
    account: createAccountCalls(transport),
    tokens: createTokenCalls(transport),
    agents: createAgentCalls(transport),
    teams: createTeamCalls(transport),
    workflows: createWorkflowCalls(transport),
    sessions: createSessionCalls(transport),
    pins: createPinCalls(transport),
    overview: createOverviewCall(transport),
    turns: createTurnCalls(transport),
    subagents: createSubagentCalls(transport),
    context: createContextCalls(transport),
    inputs: createInputCalls(transport),
    queue: createQueueCalls(transport),
    actions: createActionCalls(transport),
    files: createFileCalls(transport),
    artifacts: createArtifactCalls(transport),
    budgets: createBudgetCalls(transport),
    usage: createUsageCalls(transport),
    users: createUserCalls(transport),
    spaces: createSpaceCalls(transport),
    applications: createApplicationCalls(transport),
    credentials: createCredentialCalls(transport),
    secrets: createSecretCalls(transport),
    audit: createAuditCalls(transport),
    server: createServerCalls(transport),
    webhooks: createWebhookCalls(transport),
    minitools: createMinitoolCalls(transport),
    schedules: createScheduleCalls(transport),
    clientTokens: createClientTokenCalls(transport),
    models: () => listModels(transport),
    waitForTurn: (sessionId, turnId, wait) => waitForTurn(transport, sessionId, turnId, wait),
    watchSession: watches.watch,
    retryNow: watches.retryAllNow,
    streamTree: (sessionId, stream) => streamTree(transport, sessionId, stream),
    streamTurn: (sessionId, turnId, stream) => streamTurn(transport, sessionId, turnId, stream),
    close: watches.closeAll,
  };
};
