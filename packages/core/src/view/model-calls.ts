/**
 * The model calls of a turn, as its log tells of them.
 *
 * Owns: which events are of which call, at which step it was made, and what it came to. Pure: the server rebuilds requests
 * by it, and the console draws by it.
 *
 * MJ1 A call is known by its own events alone, from the first one that names it. What came before that event was there when the
 *     call was made; what came behind it was not (IN2).
 */
import type { Cost, LoggedEvent, TokenUsage } from '../session/events.ts';
import { tooLong } from '../session/too-long.ts';

export type ModelCall = {
  readonly id: string;
  readonly runId: string;
  readonly itemId: string;
  /** `compaction`: for the summary that stands for the beginning of the context from then on. */
  readonly kind: 'answer' | 'compaction';
  /** Of the turn, from 1: completed answers are its steps. A compaction is of the step that it comes before. */
  readonly step: number;
  /** Which try of the step it is, from 1. */
  readonly attempt: number;
  readonly model: string | null;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** From when on it was owed (Unix ms): it was made then, or a little later. */
  readonly owedAt: number;
  /** When it first told something. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly usage: TokenUsage | null;
  readonly cost: Cost | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** When the next try was to be made. */
  readonly retryAt: number | null;
  /** The place (in the events given) of its first event, and of the one that holds its answer. */
  readonly first: number;
  readonly answered: number | undefined;
  /** How often in a row it had been refused for the length of what the model was shown; 0 = what it was shown was not too long. */
  readonly refusals: number;
};

type Of = Extract<LoggedEvent, { type: 'item.started' | 'item.completed' | 'model.completed' | 'usage.recorded' | 'context.compacted' }>;

/** What the steps before leave. */
type Standing = { steps: number; attempts: number; failures: number; owed: boolean; owedAt: number };

const isOfCall = (event: LoggedEvent): event is Of =>
  event.type === 'item.started' ||
  event.type === 'model.completed' ||
  event.type === 'usage.recorded' ||
  event.type === 'context.compacted' ||
  (event.type === 'item.completed' && event.data.model_call_id !== undefined);

const begun = ({ data, at, type }: Of, first: number, standing: Standing): ModelCall => ({
  id: String(data.model_call_id),
  runId: data.run_id,
  itemId: data.item_id,
  kind: type === 'context.compacted' ? 'compaction' : 'answer',
  step: standing.steps + 1,
  attempt: standing.attempts + 1,
  model: null,
  status: 'running',
  owedAt: Math.min(standing.owedAt, at),
  startedAt: at,
  endedAt: null,
  usage: null,
  cost: null,
  errorCode: null,
  errorMessage: null,
  retryAt: null,
  first,
  answered: undefined,
  refusals: standing.owed ? Math.max(1, standing.failures) : 0,
});

const moved = (call: ModelCall, event: Of, at: number): ModelCall => {
  switch (event.type) {
    case 'item.started':
      return { ...call, model: event.data.model ?? call.model };
    case 'item.completed':
    case 'context.compacted':
      return { ...call, status: 'completed', endedAt: event.at, answered: at };
    case 'usage.recorded':
      return { ...call, model: event.data.model, usage: event.data.usage, cost: event.data.cost ?? null };
    case 'model.completed': {
      const { model, status, error_code, error_message, retry_at, cost = null } = event.data;
      if (status === 'completed') return { ...call, model };
      return {
        ...call,
        ...{ model, status, cost, endedAt: event.at },
        errorCode: error_code ?? null,
        errorMessage: error_message ?? null,
        retryAt: retry_at ?? null,
      };
    }
  }
};

/** What the next call is to know of this event. */
const stood = (standing: Standing, event: LoggedEvent): void => {
  switch (event.type) {
    case 'item.completed':
      standing.owedAt = event.at;
      if (event.data.model_call_id === undefined) break;
      if (event.data.item.status !== 'completed') break;
      Object.assign(standing, { steps: standing.steps + 1, attempts: 0, failures: 0, owed: false });
      break;
    case 'model.completed':
      standing.owedAt = Math.max(event.at, event.data.retry_at ?? 0);
      if (event.data.status === 'cancelled') standing.attempts += 1;
      if (event.data.status !== 'failed') break;
      standing.attempts += 1;
      standing.failures += 1;
      if (event.data.error_code === tooLong && event.data.retry_at !== undefined) standing.owed = true;
      break;
    case 'context.compacted':
      standing.owed = false;
      standing.owedAt = event.at;
      break;
    case 'turn.failed':
      // Resumed, it begins anew.
      Object.assign(standing, { attempts: 0, failures: 0, owed: false });
      break;
    case 'run.started':
    case 'tool.completed':
    case 'input.applied':
    case 'usage.recorded':
      standing.owedAt = event.at;
      break;
    default:
      break;
  }
};

/** Of the events of one turn in order; those that say nothing of calls may be left out. */
export const modelCallsOf = (events: readonly LoggedEvent[]): readonly ModelCall[] => {
  const calls = new Map<string, ModelCall>();
  const standing: Standing = { steps: 0, attempts: 0, failures: 0, owed: false, owedAt: Number.POSITIVE_INFINITY };
  for (const [at, event] of events.entries()) {
    if (isOfCall(event)) {
      const id = String(event.data.model_call_id);
      calls.set(id, moved(calls.get(id) ?? begun(event, at, standing), event, at));
    }
    stood(standing, event);
  }
  return [...calls.values()];
};
