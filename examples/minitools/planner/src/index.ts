/** Planner, workers, writer: one call of the tool makes a session for each task, waits for all, and has their results put together. */
import type { MiniToolContext, ToolResult } from 'finch';

const result = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });

export const activate = (ctx: MiniToolContext): void => {
  /** All workers at once; one that fails is a result, too. */
  const work = async (jobId: string, tasks: readonly string[]): Promise<readonly string[]> => {
    // The sample of the documentation, as it stands there.
    // biome-ignore format: the same
    const results = await Promise.all(tasks.map(async (task, i) => {
      const s = await ctx.sessions.create({
        containerId: 'workers',
        activity: 'background',
        context: 'caller',
        initialMessage: { text: task, idempotencyKey: `job-${jobId}-${i}` },
      });
      const r = await ctx.sessions.waitForTurn(s.sessionId, s.turnId, { timeoutMs: 300_000 });
      return r.state === 'completed' ? r.outputText : `任务 ${i} 失败`;
    }));
    return results;
  };

  const write = async (jobId: string, instruction: string, results: readonly string[]): Promise<string> => {
    const writer = await ctx.sessions.create({
      containerId: 'workers',
      title: 'Writer',
      activity: 'background',
      context: 'caller',
      initialMessage: { text: instruction.replace('{results}', results.join('; ')), idempotencyKey: `job-${jobId}-writer` },
    });
    const written = await ctx.sessions.waitForTurn(writer.sessionId, writer.turnId, { timeoutMs: 300_000 });
    return written.state === 'completed' ? written.outputText : results.join('\n');
  };

  ctx.subscriptions.push(
    ctx.tools.register({
      name: 'plan',
      title: 'Plan',
      description: 'Does several tasks at the same time and puts the results together.',
      inputSchema: {
        type: 'object',
        properties: {
          tasks: { type: 'array', items: { type: 'string' } },
          instruction: { type: 'string', description: 'What to make of the results; {results} stands for them.' },
        },
        required: ['tasks', 'instruction'],
      },
      timeoutMs: 600_000,
      progressMode: 'indeterminate',
      execute: async ({ tasks, instruction }, exec) => {
        const all = tasks as readonly string[];
        exec.progress.report({ message: `${all.length} workers`, percent: 0 });
        // A call that is made twice makes no second workers: the key is its id, which is that of one session only.
        const jobId = `${exec.sessionId}-${exec.toolCallId}`;
        const results = await work(jobId, all);
        exec.progress.report({ message: 'the writer', percent: 80 });
        return result(await write(jobId, String(instruction), results));
      },
    }),
  );
};
