/** Runs tools of mini-tools as the runner would. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { MinitoolHost } from '../../ports/minitool-host.ts';
import type { MinitoolTools } from '../../ports/minitool-tools.ts';
import type { ToolAnswer, ToolRun } from '../../ports/tool.ts';

export type RunningTools = {
  /** The text of its answer. */
  readonly text: (name: string, input?: JsonObject) => Promise<string>;
  readonly run: (name: string, input?: JsonObject, run?: Partial<ToolRun>) => Promise<ToolAnswer>;
};

export const createRunningTools = ({ tools }: Pick<MinitoolHost, never> & { readonly tools: MinitoolTools }): RunningTools => {
  const run: RunningTools['run'] = async (name, input = {}, more = {}) => {
    const tool = tools.list().find((each) => each.name === name);
    if (!tool) throw new Error(`there is no tool ${name} among ${tools.list().map((each) => each.name)}`);
    const whole: ToolRun = {
      sessionId: 'ses_1',
      turnId: 'turn_1',
      callId: 'call_1',
      signal: new AbortController().signal,
      progress: () => {},
      ask: async () => {
        throw new Error('nobody is asked here');
      },
      ...more,
    };
    return tool.run(input, whole);
  };
  return {
    run,
    text: async (name, input) => {
      const { output } = await run(name, input);
      return output.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('');
    },
  };
};
