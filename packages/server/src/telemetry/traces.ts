/**
 * Traces: one a turn, with a span for each of its runs, in those one for each step, and in those one for each model call and
 * tool.
 *
 * The spans of turns and runs are made of the events that end them, so that a run whose process died has one as well: the
 * node that closes it writes it. A model call or a tool that dies with its process leaves none.
 *
 * TT3 No content: no prompt, text, argument or result, unless a person asked for it; then each is cut to `mostContent`.
 */
import { type Attributes, SpanKind } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { type LoggedEvent, outcomeEvents, turnOf } from '@turnkeeper/core/session/events';
import { runId, type TurnId } from '@turnkeeper/core/session/ids';
import type { Clock } from '../ports/clock.ts';
import type { InRun, ModelCall, ModelCallEnd, SessionNews, Telemetry, ToolCall, ToolCallEnd } from '../ports/telemetry.ts';
import { type EndedStep, OpenSteps } from './open-steps.ts';
import { createSpanQueue, type SpanQueueOptions } from './span-queue.ts';
import { type FinishedSpan, readableSpan } from './spans.ts';
import { freshSpanId, runSpanId, stepSpanId, turnSpanId } from './trace-ids.ts';
import type { TracesConfig } from './traces-config.ts';
import { acceptedAt } from './turn-facts.ts';

export const mostContent = 4_096;
const exportMs = 10_000;

export type Traces = {
  readonly telemetry: Pick<Telemetry, 'committed' | 'modelCallBegan' | 'toolCallBegan'>;
  readonly close: (ms: number) => Promise<void>;
};

export type TracesOptions = Omit<SpanQueueOptions, 'exporter'> & {
  readonly config: TracesConfig;
  /** The name under which this node holds sessions now. */
  readonly node: () => string;
};

type Write = (span: FinishedSpan) => void;

const cut = (text: string): string => (text.length <= mostContent ? text : `${text.slice(0, mostContent)}…`);

const idsOf = ({ sessionId, turnId }: Pick<InRun, 'sessionId' | 'turnId'>): Attributes => ({
  'gen_ai.conversation.id': sessionId,
  'turnkeeper.session.id': sessionId,
  'turnkeeper.turn.id': turnId,
});

const providerOf = (model: string): string => model.slice(0, Math.max(model.indexOf(':'), 0)) || 'unknown';

/** When the run of this number began: in this very commit, or as the state before it says. */
const runBegan = ({ before, events }: SessionNews, id: string): number | undefined => {
  const here = events.find((event) => event.type === 'run.started' && event.data['run_id'] === id);
  return here?.at ?? before.live?.runStartedAt;
};

const goodEnds = new Set(['completed', 'suspended', 'handed_over', 'cancelled', 'interrupted']);

const runSpan = (event: LoggedEvent & { readonly type: 'run.ended' }, news: SessionNews, node: string): FinishedSpan | undefined => {
  const { turn_id: turnId, run_id: id, status } = event.data;
  const run = Number(id.slice(id.lastIndexOf('_') + 1));
  if (runId(turnId, run) !== id) return undefined;
  const to = event.data.ran_until ?? event.at;
  return {
    ...{ turnId, id: runSpanId(turnId, run), parentId: turnSpanId(turnId), name: 'run', from: runBegan(news, id) ?? to, to },
    attributes: { ...idsOf({ sessionId: news.session.row.id, turnId }), 'turnkeeper.run.n': run, 'turnkeeper.run.end': status, 'turnkeeper.node': node },
    fault: goodEnds.has(status) ? undefined : (event.data.error_code ?? status),
  };
};

const stepSpan = (step: EndedStep): FinishedSpan => ({
  ...{ turnId: step.turnId, id: stepSpanId(step), parentId: runSpanId(step.turnId, step.run) },
  ...{ name: 'step', from: step.from, to: step.to },
  attributes: {
    ...idsOf(step),
    ...{ 'turnkeeper.run.n': step.run, 'turnkeeper.step.n': step.step },
    ...(step.tries ? { 'turnkeeper.try.n': step.tries + 1 } : {}),
  },
});

/** Where a part of a step stands. */
const underStep = (step: InRun) => ({ turnId: step.turnId, id: freshSpanId(), parentId: stepSpanId(step) });

const turnSpan = (event: LoggedEvent, turnId: TurnId, { session }: SessionNews): FinishedSpan => {
  const { id, name } = session.config.target;
  const outcome = event.type.slice('turn.'.length);
  const failed = event.type === 'turn.failed' || event.type === 'turn.timed_out';
  return {
    ...{ turnId, id: turnSpanId(turnId), parentId: undefined, name: `invoke_agent ${name}`, from: acceptedAt(turnId) ?? event.at, to: event.at },
    attributes: {
      ...idsOf({ sessionId: session.row.id, turnId }),
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': id,
      'gen_ai.agent.name': name,
      'turnkeeper.turn.outcome': outcome,
    },
    fault: failed ? String(event.data['error_code'] ?? outcome) : undefined,
  };
};

const modelAttributes = (call: ModelCall, end: ModelCallEnd, { firstMs, content }: { firstMs: number | undefined; content: boolean }): Attributes => {
  const { model, system, messages, temperature } = call.request;
  const usage = end.outcome === 'completed' ? end.usage : undefined;
  return {
    ...idsOf(call),
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerOf(model),
    'gen_ai.request.model': model.slice(model.indexOf(':') + 1),
    'gen_ai.request.stream': true,
    ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(firstMs === undefined ? {} : { 'gen_ai.response.time_to_first_chunk': firstMs / 1_000 }),
    ...(usage ? { 'gen_ai.usage.input_tokens': usage.input_tokens, 'gen_ai.usage.output_tokens': usage.output_tokens } : {}),
    ...(usage?.cached_input_tokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': usage.cached_input_tokens }),
    ...(usage?.cache_creation_input_tokens === undefined ? {} : { 'gen_ai.usage.cache_creation.input_tokens': usage.cache_creation_input_tokens }),
    ...(content ? { 'gen_ai.system_instructions': cut(system), 'gen_ai.input.messages': cut(JSON.stringify(messages)) } : {}),
    ...(content && end.outcome === 'completed' ? { 'gen_ai.output.messages': cut(end.said()) } : {}),
  };
};

const toolAttributes = (call: ToolCall, end: ToolCallEnd, content: boolean): Attributes => ({
  ...idsOf(call),
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': call.name,
  'gen_ai.tool.call.id': call.callId,
  'gen_ai.tool.type': 'function',
  'turnkeeper.tool.outcome': end.status,
  ...(content ? { 'gen_ai.tool.call.arguments': cut(JSON.stringify(call.input)), 'gen_ai.tool.call.result': cut(end.output()) } : {}),
});

type TelemetryOptions = { readonly steps: OpenSteps; readonly content: boolean; readonly node: () => string };

const telemetryOf = (write: Write, clock: Clock, { steps, content, node }: TelemetryOptions): Traces['telemetry'] => ({
  committed: (news) => {
    for (const event of news.events) {
      if (event.type === 'run.ended') {
        steps.close(event.data.turn_id);
        const span = runSpan(event, news, node());
        if (span) write(span);
      } else if (outcomeEvents.has(event.type)) {
        const turnId = turnOf(event);
        if (turnId !== undefined) write(turnSpan(event, turnId, news));
      }
    }
  },
  modelCallBegan: (call) => {
    const from = clock.now();
    const began = clock.elapsed();
    let firstMs: number | undefined;
    steps.began(call, from);
    return {
      began: () => {
        firstMs ??= clock.elapsed() - began;
      },
      ended: (end) => {
        const to = from + clock.elapsed() - began;
        steps.ended(call, to);
        write({
          ...{ ...underStep(call), kind: SpanKind.CLIENT },
          ...{ name: `chat ${call.request.model.slice(call.request.model.indexOf(':') + 1)}`, from, to },
          attributes: modelAttributes(call, end, { firstMs, content }),
          fault: end.outcome === 'completed' ? undefined : end.errorCode,
        });
      },
    };
  },
  toolCallBegan: (call) => {
    const from = clock.now();
    const began = clock.elapsed();
    steps.began(call, from);
    return (end) => {
      const to = from + clock.elapsed() - began;
      steps.ended(call, to);
      write({
        ...{ ...underStep(call), name: `execute_tool ${call.name}`, from, to },
        attributes: toolAttributes(call, end, content),
        fault: end.status === 'success' ? undefined : end.status,
      });
    };
  },
});

/** Begins to send spans; loaded only where traces are configured. */
export const createTraces = ({ config, node, ...queueOptions }: TracesOptions): Traces => {
  const exporter = new OTLPTraceExporter({ url: config.url, headers: { ...config.headers }, timeoutMillis: exportMs });
  const queue = createSpanQueue({ exporter, ...queueOptions });
  const resource = resourceFromAttributes({ 'service.name': config.serviceName, 'service.instance.id': node() });
  const write = (span: FinishedSpan): void => queue.add(readableSpan(span, resource));
  const steps = new OpenSteps((step) => write(stepSpan(step)));
  return {
    telemetry: telemetryOf(write, queueOptions.clock, { steps, content: config.content, node }),
    close: queue.close,
  };
};
