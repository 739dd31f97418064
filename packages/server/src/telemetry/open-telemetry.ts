/** Metrics, the log and, where they are configured, traces: put together, and taken apart at the end. */
import { type Logger, pino } from 'pino';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { createEventLog } from './event-log.ts';
import type { Metrics } from './metrics.ts';
import { redactLine } from './redaction.ts';
import { tellAll } from './tell-all.ts';
import type { Traces } from './traces.ts';
import type { TracesConfig } from './traces-config.ts';

/** What every line of the log is given: the node's name, once there is one. */
export type LogContext = { node?: () => string };

export const createLogger = (level: string, context: LogContext, destination: { write: (line: string) => void } = pino.destination(2)): Logger =>
  pino(
    {
      level,
      base: null,
      mixin: () => (context.node ? { node: context.node() } : {}),
      // A line that names another node means that one.
      mixinMergeStrategy: (given, mixed) => ({ ...mixed, ...given }),
      hooks: { streamWrite: redactLine },
    },
    destination,
  );

export type TelemetryOptions = {
  readonly metrics: Metrics;
  readonly traces: TracesConfig | undefined;
  /** By which events are dated. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly node: () => string;
};

const closeMs = 3_000;

/** Says once that the collector does not answer, and once that it does again. */
const createCollectorLog = (logger: Logger) => {
  let down = false;
  return (fault: Error | undefined): void => {
    if (fault && !down) logger.warn({ cause: fault.message }, 'traces cannot be exported; this is said once, until it is over');
    if (!fault && down) logger.info('traces are exported again');
    down = fault !== undefined;
  };
};

/** Loads what traces need only when there are to be any: it would cost every other start its time. */
export const openTelemetry = async ({ metrics, traces: config, clock, logger, node }: TelemetryOptions) => {
  let traces: Traces | undefined;
  if (config) {
    const { createTraces } = await import('./traces.ts');
    // Gathering and giving up go by this machine's time; what happened is dated by the store's.
    const times: Clock = { ...systemClock, now: () => clock.now() };
    traces = createTraces({ config, node, clock: times, ...metrics.spans, answered: createCollectorLog(logger) });
  }
  const failed = (error: unknown): void => logger.error({ err: error }, 'telemetry failed');
  const telemetry: Telemetry = tellAll([metrics.telemetry, createEventLog(logger), ...(traces ? [traces.telemetry] : [])], failed);
  return { telemetry, close: async () => traces?.close(closeMs) };
};
