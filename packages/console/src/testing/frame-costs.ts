/** What a page's main thread did per frame, read from Chromium's trace. */

type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
};

const frameName = 'BeginMainThreadFrame';
const isTask = ({ name, ph }: TraceEvent): boolean => ph === 'X' && (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask');

/** The renderer that drew most: others belong to the browser's own pages. */
const busiest = (events: readonly TraceEvent[]): TraceEvent | undefined => {
  const counts = new Map<string, { readonly event: TraceEvent; readonly count: number }>();
  for (const event of events) {
    if (event.name !== frameName) continue;
    const key = `${event.pid}:${event.tid}`;
    counts.set(key, { event, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.event;
};

/** Milliseconds of work between each frame and the next. */
export const frameCosts = ({ traceEvents }: { readonly traceEvents: readonly TraceEvent[] }): readonly number[] => {
  const main = busiest(traceEvents);
  if (!main) return [];
  const mine = traceEvents.filter(({ pid, tid }) => pid === main.pid && tid === main.tid);
  const frames = mine
    .filter(({ name }) => name === frameName)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const names = new Set(mine.filter(isTask).map(({ name }) => name));
  // Where both are told, one lies within the other.
  const name = names.has('RunTask') ? 'RunTask' : 'ThreadControllerImpl::RunTask';
  const tasks = mine.filter((event) => isTask(event) && event.name === name).sort((a, b) => a.ts - b.ts);
  const costs = frames.map(() => 0);
  let frame = 0;
  for (const { ts, dur = 0, tdur } of tasks) {
    while (frame + 1 < frames.length && (frames[frame + 1] ?? 0) <= ts + dur) frame += 1;
    if (frames[frame] !== undefined && ts + dur >= (frames[frame] ?? 0)) costs[frame] = (costs[frame] ?? 0) + (tdur ?? dur) / 1_000;
  }
  return costs;
};

const at = (sorted: readonly number[], part: number): number =>
  Math.round((sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0) * 100) / 100;

export const summary = (costs: readonly number[]) => {
  const sorted = [...costs].sort((a, b) => a - b);
  const over = sorted.filter((cost) => cost > 8).length;
  return { frames: sorted.length, p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99), max: at(sorted, 1), over8ms: over };
};
