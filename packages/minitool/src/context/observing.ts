/** What goes on in the service, as far as the mini-tool may know: metadata only, and best effort. */
import type { Disposable } from './lifetime.ts';

export type AgentEventKind =
  | 'status'
  | 'user'
  | 'session_init'
  | 'assistant_text'
  | 'assistant_text_delta'
  | 'thinking'
  | 'thinking_delta'
  | 'tool_use'
  | 'tool_input_delta'
  | 'tool_progress'
  | 'tool_result'
  | 'result'
  | 'error'
  | 'permission_request'
  | 'interrupted'
  | 'usage_update'
  | 'compact_boundary'
  | 'session_status';

export interface AgentTokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
}

export interface AgentEvent {
  readonly id: string;
  readonly kind: AgentEventKind;
  readonly createdAt: string;
  readonly sessionId?: string;
  readonly toolName?: string;
  readonly toolUseId?: string;
  readonly isToolError?: boolean;
  readonly isRetryable?: boolean;
  readonly errorCategory?: string;
  readonly permissionGranted?: boolean;
  readonly permissionDangerous?: boolean;
  readonly runStatus?: string;
  readonly usage?: AgentTokenUsage;
  readonly modelProvider?: string;
  readonly modelId?: string;
}

export interface Events {
  onAgentEvent(listener: (event: AgentEvent) => unknown): Disposable;
}

export type FinchStatus = 'idle' | 'running' | 'waiting' | 'unread';

export interface FinchStatusSnapshot {
  readonly status: FinchStatus;
  readonly runningCount: number;
  readonly waitingCount: number;
  readonly unreadCount: number;
  readonly latestUnreadSessionId?: string;
  readonly updatedAt: string;
}

export interface Status {
  get(): Promise<FinchStatusSnapshot>;
  onDidChange(listener: (status: FinchStatusSnapshot) => unknown): Disposable;
}

export type FinchNotificationKind = 'background-done' | 'waiting' | 'error' | 'info';

export interface FinchNotificationEvent {
  readonly id: string;
  readonly kind: FinchNotificationKind;
  readonly createdAt: string;
  readonly sessionId?: string;
  readonly title: string;
}

export interface Notifications {
  onDidPost(listener: (event: FinchNotificationEvent) => unknown): Disposable;
}
