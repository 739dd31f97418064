/** What the kit's service keeps of sessions, turns and waits. */
import type { SessionWait, SessionWaitResolver } from '../context/session-waits.ts';
import type {
  MinitoolSessionActivity,
  MinitoolSessionDescriptor,
  SessionPermissionMode,
  SessionSendReceipt,
  SessionTurnWaitResult,
} from '../context/sessions.ts';
import { MinitoolError } from '../failure.ts';
import type { KitAttachment } from './agent.ts';
import type { TakenResponse } from './arguments.ts';

export type Settled = Exclude<SessionTurnWaitResult, { readonly state: 'timeout' }>;
export type Accepted = Exclude<SessionSendReceipt, { readonly state: 'rejected' }>;

export type KitMessage = {
  readonly text: string;
  readonly attachments: readonly KitAttachment[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
};

export type WaitState = {
  readonly wait: SessionWait;
  resolvedBy: SessionWaitResolver | undefined;
  /** With no response where nobody gave one. */
  readonly resolve: (response: TakenResponse | undefined) => void;
};

export type TurnState = {
  readonly id: string;
  readonly number: number;
  readonly message: KitMessage;
  readonly said: { readonly messageId: string; readonly text: string }[];
  readonly abort: AbortController;
  status: 'queued' | 'running' | 'settled';
  readonly settled: PromiseWithResolvers<Settled>;
};

export type SessionState = {
  readonly id: string;
  readonly placement: MinitoolSessionDescriptor['placement'];
  readonly activity: MinitoolSessionActivity;
  readonly title: string | undefined;
  readonly contextSpaceId: string | undefined;
  readonly createdAt: string;
  mode: SessionPermissionMode;
  updatedAt: string;
  archived: boolean;
  deleted: boolean;
  readonly turns: TurnState[];
  readonly waits: Map<string, WaitState>;
  /** By idempotency key: the receipt of then, and the content that it was given for. */
  readonly receipts: Map<string, { readonly receipt: Accepted; readonly content: string }>;
  /** Somebody waits for the first wait. */
  readonly watchers: Set<() => void>;
};

export const unfinished = ({ turns }: SessionState): number => turns.filter(({ status }) => status !== 'settled').length;

export const openWaits = ({ waits }: SessionState): readonly SessionWait[] =>
  [...waits.values()].filter(({ resolvedBy }) => !resolvedBy).map(({ wait }) => wait);

export const descriptorOf = (
  minitoolId: string,
  { id, placement, activity, contextSpaceId, archived, createdAt, updatedAt }: SessionState,
): MinitoolSessionDescriptor => ({
  sessionId: id,
  owner: { type: 'minitool', minitoolId },
  placement,
  activity,
  ...(contextSpaceId === undefined ? {} : { contextSpaceId }),
  state: { pinned: false, archived },
  createdAt,
  updatedAt,
});

export const notFound = (what: string): MinitoolError => new MinitoolError('not_found', `There is no such ${what}, or it is not yours`);
