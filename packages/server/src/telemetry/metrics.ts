/**
 * The metrics of this process, in the text format of Prometheus.
 *
 * TM2 Turns, runs, tokens and the outcomes of calls are counted by the events that were committed: they are what the logs
 *     of the sessions say, however often something was tried.
 */
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../ports/clock.ts';
import type { Workload } from '../ports/session-store.ts';
import type { SessionNews, Telemetry } from '../ports/telemetry.ts';
import { createBoundedNames } from './bounded-names.ts';
import { metricTable } from './metric-table.ts';
import { acceptedAt, toolKindOf } from './turn-facts.ts';
import { createWorkloadReading } from './workload-reading.ts';

const mostModels = 50;
/** An installation has a few; one that installs and removes many has these. */
const mostMinitools = 50;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What is looked at when somebody reads the metrics. */
export type Gauges = {
  readonly openStreams: () => number;
  readonly sessionsHeld: () => number;
  readonly slotsUsed: () => number;
  readonly leaseHeld: () => boolean;
  readonly webhooksSending: () => number;
  readonly minitoolsRunning: () => number;
  readonly workload: () => Promise<Workload>;
};

export type Metrics = {
  readonly telemetry: Omit<Telemetry, 'leaseTaken'>;
  readonly spans: { readonly exported: (count: number) => void; readonly dropped: (count: number) => void };
  /** From now on these are read with the others. */
  readonly watch: (gauges: Gauges) => void;
  readonly read: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

const createAll = (registry: Registry) => {
  const registers = [registry];
  const counter = ({ name, help, labels }: { name: string; help: string; labels: readonly string[] }) =>
    new Counter({ name, help, labelNames: [...labels], registers });
  const gauge = ({ name, help, labels }: { name: string; help: string; labels: readonly string[] }) =>
    new Gauge({ name, help, labelNames: [...labels], registers });
  const histogram = ({ name, help, labels, buckets }: { name: string; help: string; labels: readonly string[]; buckets: readonly number[] }) =>
    new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
  const t = metricTable;
  return {
    accepted: counter(t.accepted),
    turns: counter(t.turns),
    turnSeconds: histogram(t.turnSeconds),
    firstToken: histogram(t.firstToken),
    runs: counter(t.runs),
    modelCalls: counter(t.modelCalls),
    modelSeconds: histogram(t.modelSeconds),
    tokens: counter(t.tokens),
    toolCalls: counter(t.toolCalls),
    toolSeconds: histogram(t.toolSeconds),
    requests: counter(t.requests),
    requestSeconds: histogram(t.requestSeconds),
    openStreams: gauge(t.openStreams),
    sessionsHeld: gauge(t.sessionsHeld),
    slotsUsed: gauge(t.slotsUsed),
    queueDepth: gauge(t.queueDepth),
    batchWrites: histogram(t.batchWrites),
    batchSeconds: histogram(t.batchSeconds),
    storeErrors: counter(t.storeErrors),
    leaseHeld: gauge(t.leaseHeld),
    leaseLosses: counter(t.leaseLosses),
    recovered: counter(t.recovered),
    webhookAttempts: counter(t.webhookAttempts),
    webhookSeconds: histogram(t.webhookSeconds),
    webhooksPaused: counter(t.webhooksPaused),
    webhooksSending: gauge(t.webhooksSending),
    minitoolsRunning: gauge(t.minitoolsRunning),
    minitoolEnds: counter(t.minitoolEnds),
    minitoolCalls: counter(t.minitoolCalls),
    minitoolToolRuns: counter(t.minitoolToolRuns),
    spansExported: counter(t.spansExported),
    spansDropped: counter(t.spansDropped),
  };
};
type All = ReturnType<typeof createAll>;

/** Counts what was committed (TM2). Deltas, which come by the thousand, pass through the switch and no further. */
const createEventCounter = (all: All, modelName: (model: string) => string) => {
  const ended = (turnId: string, outcome: string, at: number): void => {
    all.turns.inc({ outcome });
    const since = acceptedAt(turnId);
    if (since !== undefined) all.turnSeconds.observe({ outcome }, Math.max(at - since, 0) / 1_000);
  };
  const firstWords = (event: LoggedEvent & { readonly type: 'item.started' }, { before }: SessionNews): void => {
    const { live } = before;
    // The first item of a turn is its user message, the second what its first model call says.
    const first = event.data.item.role === 'assistant' && (live?.id !== event.data.turn_id || (live.steps === 0 && live.modelCalls === 0));
    const since = acceptedAt(event.data.turn_id);
    if (first && since !== undefined) all.firstToken.observe(Math.max(event.at - since, 0) / 1_000);
  };
  return (event: LoggedEvent, news: SessionNews): void => {
    switch (event.type) {
      case 'turn.accepted':
        all.accepted.inc();
        break;
      case 'item.started':
        firstWords(event, news);
        break;
      case 'model.completed':
        all.modelCalls.inc({ model: modelName(event.data.model), outcome: event.data.status });
        break;
      case 'usage.recorded': {
        const { input_tokens, output_tokens } = event.data.usage;
        const model = modelName(event.data.model);
        // A call that reports its usage has completed: no other event says so.
        all.modelCalls.inc({ model, outcome: 'completed' });
        all.tokens.inc({ model, direction: 'input' }, input_tokens);
        all.tokens.inc({ model, direction: 'output' }, output_tokens);
        break;
      }
      case 'tool.completed':
        all.toolCalls.inc({ kind: toolKindOf(news.session.config.target.definition, event.data.name), outcome: event.data.status });
        break;
      case 'run.ended':
        all.runs.inc({ end: event.data.status });
        break;
      case 'turn.completed':
      case 'turn.partial_succeeded':
      case 'turn.failed':
      case 'turn.cancelled':
      case 'turn.timed_out':
        ended(event.data.turn_id, event.type.slice('turn.'.length), event.at);
        break;
      default:
        break;
    }
  };
};

const telemetryOf = (all: All, clock: Pick<Clock, 'elapsed'>): Metrics['telemetry'] => {
  const modelName = createBoundedNames(mostModels);
  const minitoolName = createBoundedNames(mostMinitools);
  const count = createEventCounter(all, modelName);
  const secondsSince = (began: number): number => (clock.elapsed() - began) / 1_000;
  return {
    committed: (news) => {
      for (const event of news.events) count(event, news);
    },
    modelCallBegan: ({ request }) => {
      const began = clock.elapsed();
      return { began: () => {}, ended: () => all.modelSeconds.observe({ model: modelName(request.model) }, secondsSince(began)) };
    },
    toolCallBegan: ({ definition, name }) => {
      const began = clock.elapsed();
      return () => all.toolSeconds.observe({ kind: toolKindOf(definition, name) }, secondsSince(began));
    },
    runsRecovered: (sessions) => all.recovered.inc(sessions),
    leaseLost: () => all.leaseLosses.inc(),
    batchEnded: (writes, ms) => {
      all.batchWrites.observe(writes);
      all.batchSeconds.observe(ms / 1_000);
    },
    storeFailed: (operation) => all.storeErrors.inc({ operation }),
    requestAnswered: ({ method: given, route, status, ms, stream }) => {
      const method = methods.has(given) ? given : 'other';
      all.requests.inc({ method, route, status: `${Math.trunc(status / 100)}xx` });
      if (!stream) all.requestSeconds.observe({ method, route }, ms / 1_000);
    },
    webhookAttempted: ({ outcome, ms }) => {
      all.webhookAttempts.inc({ outcome });
      all.webhookSeconds.observe(ms / 1_000);
    },
    webhookPaused: () => all.webhooksPaused.inc(),
    minitoolEnded: (minitool, how) => all.minitoolEnds.inc({ minitool: minitoolName(minitool), how }),
    minitoolCalled: (minitool, method) => all.minitoolCalls.inc({ minitool: minitoolName(minitool), method }),
    minitoolToolRan: (minitool, outcome) => all.minitoolToolRuns.inc({ minitool: minitoolName(minitool), outcome }),
  };
};

/** `clock` tells how long things take. */
export const createMetrics = (clock: Clock): Metrics => {
  const registry = new Registry();
  const all = createAll(registry);
  let look = async (): Promise<void> => {};
  let whole = false;
  return {
    telemetry: telemetryOf(all, clock),
    spans: { exported: (count) => all.spansExported.inc(count), dropped: (count) => all.spansDropped.inc(count) },
    watch: (gauges) => {
      const workload = createWorkloadReading(gauges.workload, clock);
      look = async () => {
        all.openStreams.set(gauges.openStreams());
        all.sessionsHeld.set(gauges.sessionsHeld());
        all.slotsUsed.set(gauges.slotsUsed());
        all.leaseHeld.set(gauges.leaseHeld() ? 1 : 0);
        all.webhooksSending.set(gauges.webhooksSending());
        all.minitoolsRunning.set(gauges.minitoolsRunning());
        const found = await workload();
        if (!found) return all.queueDepth.reset();
        for (const [state, count] of Object.entries(found)) all.queueDepth.set({ state }, count);
      };
    },
    read: async () => {
      // Of the process (memory, garbage, lag of the event loop): measured only for those who look.
      if (!whole) collectDefaultMetrics({ register: registry });
      whole = true;
      await look();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};
