/**
 * Spans on their way to the collector.
 *
 * TT2 A collector that is slow or gone costs nobody anything but spans: at most `mostWaiting` wait, what comes beyond that is
 *     dropped and counted, one export is under way at a time, and a stop waits only so long.
 */
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { type Clock, sleep } from '../ports/clock.ts';

export const mostWaiting = 2_048;
const batchSpans = 512;
const gatherMs = 2_000;
const success = 0;

export type SpanQueueOptions = {
  readonly exporter: Pick<SpanExporter, 'export' | 'shutdown'>;
  readonly clock: Clock;
  readonly exported: (count: number) => void;
  readonly dropped: (count: number) => void;
  /** Each batch: undefined when the collector took it, or why not. */
  readonly answered: (fault: Error | undefined) => void;
};

export type SpanQueue = {
  readonly add: (span: ReadableSpan) => void;
  /** Sends what waits, for at most `ms`, and takes no more. */
  readonly close: (ms: number) => Promise<void>;
};

export const createSpanQueue = ({ exporter, clock, exported, dropped, answered }: SpanQueueOptions): SpanQueue => {
  let waiting: ReadableSpan[] = [];
  let sending: Promise<void> | undefined;
  let stopTimer: (() => void) | undefined;
  let open = true;

  const exportBatch = (batch: ReadableSpan[]): Promise<void> =>
    new Promise((resolve) => {
      const ended = (fault: Error | undefined): void => {
        if (fault) dropped(batch.length);
        else exported(batch.length);
        answered(fault);
        resolve();
      };
      try {
        exporter.export(batch, ({ code, error }) => ended(code === success ? undefined : (error ?? new Error('The collector refused them.'))));
      } catch (error) {
        ended(error instanceof Error ? error : new Error(String(error)));
      }
    });

  const send = (): void => {
    if (sending || waiting.length === 0) return;
    stopTimer?.();
    stopTimer = undefined;
    const batch = waiting.slice(0, batchSpans);
    waiting = waiting.slice(batchSpans);
    sending = exportBatch(batch).then(() => {
      sending = undefined;
      plan();
    });
  };
  const plan = (): void => {
    if (waiting.length >= batchSpans) send();
    else if (waiting.length > 0 && open) stopTimer ??= clock.after(gatherMs, send);
  };
  const sendAll = async (): Promise<void> => {
    while (sending || waiting.length > 0) {
      send();
      await sending;
    }
  };

  return {
    add: (span) => {
      if (!open || waiting.length >= mostWaiting) {
        dropped(1);
        return;
      }
      waiting.push(span);
      plan();
    },
    close: async (ms) => {
      open = false;
      const over = new AbortController();
      await Promise.race([sendAll(), sleep(clock, ms, over.signal).catch(() => {})]);
      over.abort();
      stopTimer?.();
      dropped(waiting.length);
      waiting = [];
      // It would wait for the export that is under way.
      exporter.shutdown().catch(() => {});
    },
  };
};
