/**
 * What goes on in a mini-tool's own sessions, as `ctx.events.onAgentEvent` tells it: that something happened, and never what was said.
 *
 * AE1 Nothing of a text, an input or a result is in it, only names, ids, states and numbers.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { LoggedEvent, SessionEvent } from '@turnkeeper/core/session/events';

type Told = { readonly kind: string } & JsonObject;

const statuses: Readonly<Record<string, string>> = {
  'turn.running': 'running',
  'turn.queued': 'queued',
  'turn.requires_action': 'waiting',
  'session.status_idle': 'idle',
};

const toldOf = (event: SessionEvent): Told | undefined => {
  const runStatus = statuses[event.type];
  if (runStatus !== undefined) return { kind: 'session_status', runStatus };
  if (event.type === 'turn.accepted') return { kind: 'user' };
  if (event.type === 'item.completed') return event.data.item.role === 'assistant' ? { kind: 'assistant_text' } : undefined;
  if (event.type === 'tool.dispatched') return { kind: 'tool_use', toolName: event.data.name, toolUseId: event.data.tool_call_id };
  if (event.type === 'tool.completed')
    return { kind: 'tool_result', toolName: event.data.name, toolUseId: event.data.tool_call_id, isToolError: event.data.status !== 'success' };
  if (event.type === 'required_action.created') return { kind: 'permission_request' };
  if (event.type === 'usage.recorded') return { kind: 'usage_update', modelId: event.data.model, usage: usageOf(event.data.usage) };
  if (event.type === 'turn.completed' || event.type === 'turn.partial_succeeded') return { kind: 'result' };
  if (event.type === 'turn.failed') return { kind: 'error', errorCategory: event.data.error_code, isRetryable: event.data.retryable };
  if (event.type === 'turn.cancelled' || event.type === 'turn.timed_out' || event.type === 'turn.interrupted') return { kind: 'interrupted' };
  return event.type === 'context.compacted' ? { kind: 'compact_boundary' } : undefined;
};

const usageOf = (usage: {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}): JsonObject => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
  cacheReadTokens: usage.cached_input_tokens ?? 0,
});

/** Undefined where it says nothing that is told. */
export const agentEventOf = (id: string, sessionId: string, event: LoggedEvent): JsonObject | undefined => {
  const told = toldOf(event);
  return told && { id, createdAt: new Date(event.at).toISOString(), sessionId, ...told };
};
