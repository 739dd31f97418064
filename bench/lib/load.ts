/** K sessions that each take turn after turn for some seconds, and what that cost. */
import { cpuMs, machineBusyMs } from './child.ts';
import { median, quantile } from './stats.ts';
import type { Target } from './targets.ts';

export type Run = {
  readonly turnsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly firstP50: number;
  readonly cpuPerTurn: number;
  readonly othersPercent: number;
  readonly errors: number;
};

/** Opens the n-th session, wherever that is. */
type Open = Target['open'];

/** `pids`: the servers whose CPU time is counted. */
export const load = async (open: Open, k: number, { pids, seconds }: { readonly pids: readonly number[]; readonly seconds: number }): Promise<Run> => {
  const sessions = await Promise.all(Array.from({ length: k }, (_, n) => open(n)));
  await Promise.all(sessions.map((session) => session.turn()));
  const cpuOfAll = (): number => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = { cpu: cpuOfAll(), machine: machineBusyMs(), own: process.cpuUsage() };
  const totals: number[] = [];
  const firsts: number[] = [];
  let errors = 0;
  const from = performance.now();
  const until = from + seconds * 1_000;
  await Promise.all(
    sessions.map(async (session) => {
      while (performance.now() < until) {
        try {
          const { totalMs, firstMs } = await session.turn();
          totals.push(totalMs);
          firsts.push(firstMs);
        } catch {
          errors += 1;
        }
      }
    }),
  );
  const elapsed = performance.now() - from;
  const cpu = cpuOfAll() - before.cpu;
  const own = process.cpuUsage(before.own);
  const others = machineBusyMs() - before.machine - cpu - (own.user + own.system) / 1_000;
  for (const session of sessions) session.close();
  return {
    turnsPerSecond: (totals.length * 1_000) / elapsed,
    p50: median(totals),
    p99: quantile(totals, 0.99),
    firstP50: median(firsts),
    cpuPerTurn: cpu / totals.length,
    othersPercent: Math.max(0, (others / elapsed) * 100),
    errors,
  };
};

/** The same load several times: the median of one of its numbers. */
export const middle = (runs: readonly Run[], of: (run: Run) => number): number => median(runs.map(of));
