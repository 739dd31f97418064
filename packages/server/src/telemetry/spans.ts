/** A finished span as a value, and what its attributes are called (GenAI conventions of OpenTelemetry, and our own). */
import { type Attributes, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { traceIdOf } from './trace-ids.ts';

export type FinishedSpan = {
  readonly turnId: TurnId;
  readonly id: string;
  /** Undefined: the root. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind?: SpanKind;
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  /** What went wrong, as a code. */
  readonly fault?: string | undefined;
};

const hrTime = (ms: number): [number, number] => {
  const seconds = Math.trunc(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
};

const scope = { name: 'turnkeeper' };

export const readableSpan = ({ turnId, id, parentId, name, kind, from, to, attributes, fault }: FinishedSpan, resource: Resource): ReadableSpan => {
  const traceId = traceIdOf(turnId);
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  const end = Math.max(to, from);
  return {
    name,
    kind: kind ?? SpanKind.INTERNAL,
    spanContext: () => context(id),
    ...(parentId === undefined ? {} : { parentSpanContext: context(parentId) }),
    startTime: hrTime(from),
    endTime: hrTime(end),
    duration: hrTime(end - from),
    status: fault === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: fault },
    attributes: fault === undefined ? attributes : { ...attributes, 'error.type': fault },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
};
