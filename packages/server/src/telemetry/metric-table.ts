/**
 * Every metric of ours, by name: what is registered and what docs/telemetry.md lists are this table.
 *
 * TM1 A label's values are few and known: no ids, no names that people choose. Models, which admins choose, are counted by
 *     name up to a limit, and together beyond it.
 */

export type MetricRow = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
} & ({ readonly kind: 'counter' | 'gauge' } | { readonly kind: 'histogram'; readonly buckets: readonly number[] });

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const slow = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

const counter = (name: string, help: string, labels: readonly string[] = []) => ({ kind: 'counter', name, help, labels }) as const;
const gauge = (name: string, help: string, labels: readonly string[] = []) => ({ kind: 'gauge', name, help, labels }) as const;
const histogram = (name: string, help: string, buckets: readonly number[], labels: readonly string[] = []) =>
  ({ kind: 'histogram', name, help, labels, buckets }) as const;

export const metricTable = {
  accepted: counter('turnkeeper_turns_accepted_total', 'Turns accepted'),
  turns: counter('turnkeeper_turns_total', 'Turns that ended, by outcome; one that failed and was resumed ends again', ['outcome']),
  turnSeconds: histogram('turnkeeper_turn_duration_seconds', 'From the acceptance of a turn to its outcome, waiting included', slow, ['outcome']),
  firstToken: histogram('turnkeeper_turn_first_token_seconds', 'From the acceptance of a turn to the first words or tool call of its model', slow),
  runs: counter('turnkeeper_runs_total', 'Runs that ended, by how; `lost`: their process died', ['end']),
  modelCalls: counter('turnkeeper_model_calls_total', 'Model calls, by model and outcome', ['model', 'outcome']),
  modelSeconds: histogram('turnkeeper_model_call_duration_seconds', 'Time of a model call', slow, ['model']),
  tokens: counter('turnkeeper_tokens_total', 'Tokens as providers reported them, by model and direction', ['model', 'direction']),
  toolCalls: counter('turnkeeper_tool_calls_total', 'Tool calls that ended, by kind of tool and outcome', ['kind', 'outcome']),
  toolSeconds: histogram('turnkeeper_tool_call_duration_seconds', 'Time of a tool that the server ran', slow, ['kind']),
  requests: counter('turnkeeper_http_requests_total', 'Requests, by method, route and class of status', ['method', 'route', 'status']),
  requestSeconds: histogram('turnkeeper_http_request_duration_seconds', 'Time to answer a request; streams are not timed', quick, ['method', 'route']),
  openStreams: gauge('turnkeeper_open_streams', 'Event streams that are open here'),
  sessionsHeld: gauge('turnkeeper_sessions_held', 'Sessions that this node holds'),
  slotsUsed: gauge('turnkeeper_slots_used', 'Model calls and tools that run here'),
  queueDepth: gauge(
    'turnkeeper_queue_depth',
    'Of the whole store, the same on every node: sessions `queued` for a runner, sessions `running` on some node, actions `waiting` for people or applications',
    ['state'],
  ),
  batchWrites: histogram('turnkeeper_commit_batch_writes', 'Writes committed together', [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]),
  batchSeconds: histogram('turnkeeper_commit_batch_duration_seconds', 'Time of a commit', quick),
  storeErrors: counter('turnkeeper_store_errors_total', 'Calls that the store could not serve, by operation', ['operation']),
  leaseHeld: gauge('turnkeeper_lease_held', '1 while the node may hold sessions'),
  leaseLosses: counter('turnkeeper_lease_losses_total', 'Leases of this node that ended before they were renewed'),
  recovered: counter('turnkeeper_recovered_runs_total', 'Sessions taken over from a node that was gone'),
  webhookAttempts: counter('turnkeeper_webhook_attempts_total', 'Notices sent to receivers of webhooks, by outcome', ['outcome']),
  webhookSeconds: histogram('turnkeeper_webhook_attempt_duration_seconds', 'Time of a receiver of webhooks to answer', slow),
  webhooksPaused: counter('turnkeeper_webhooks_paused_total', 'Subscriptions that were paused after eight failures in a row'),
  webhooksSending: gauge('turnkeeper_webhooks_sending', 'Deliveries that are under way here'),
  minitoolsRunning: gauge('turnkeeper_minitools_running', 'Mini-tools whose process runs here'),
  minitoolEnds: counter('turnkeeper_minitool_ends_total', 'Processes of mini-tools that ended by themselves, by mini-tool and how', ['minitool', 'how']),
  minitoolCalls: counter('turnkeeper_minitool_calls_total', 'What mini-tools asked the server for, by mini-tool and method', ['minitool', 'method']),
  minitoolToolRuns: counter('turnkeeper_minitool_tool_runs_total', 'Runs of mini-tools’ tools, by mini-tool and outcome; `lost`: the process ended meanwhile', [
    'minitool',
    'outcome',
  ]),
  spansExported: counter('turnkeeper_spans_exported_total', 'Spans that the collector took'),
  spansDropped: counter('turnkeeper_spans_dropped_total', 'Spans given up: too many waited, or the collector did not take them'),
} as const satisfies Readonly<Record<string, MetricRow>>;
