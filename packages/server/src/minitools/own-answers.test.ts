import type { RegisteredTool } from '@turnkeeper/minitool/protocol';
import { expect, test } from 'vitest';
import type { AskingMinitool } from './host-api.ts';
import { type OwnParts, ownAnswers } from './own-answers.ts';
import type { MinitoolProcess } from './process/minitool-process.ts';

test('OQ1: of a process one schema at a time waits for the checker, and a faulty one holds up none behind it', async () => {
  const waiting: ((faults: readonly string[]) => void)[] = [];
  const registered: string[] = [];
  const parts = {
    schemaFaults: () => new Promise<readonly string[]>((resolve) => waiting.push(resolve)),
    tools: { register: (_id: string, _process: unknown, { name }: RegisteredTool) => registered.push(name) },
  } as unknown as OwnParts;
  const answers = ownAnswers(parts, {} as MinitoolProcess, new Set());
  const asking = { id: 'bot' } as AskingMinitool;
  const register = (name: string) => answers['tools.register'](asking, { name, inputSchema: {} } as RegisteredTool);
  const all = Promise.allSettled(['a', 'b', 'c'].map(register));
  for (const faults of [[], ['it never ends'], []]) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(waiting).toHaveLength(1);
    waiting.shift()?.(faults);
  }
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(registered).toEqual(['a', 'c']);
});
