/** Which agent a new chat is with: asked on a terminal when there is a choice. */
import { isCancel, select } from '@clack/prompts';
import type { CommandContext } from '../command-context.ts';
import { defaultAgent } from '../commands/default-agent.ts';
import { UsageError } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import { isInteractive } from '../output/style.ts';

export const pickAgent = async ({ client, io }: CommandContext): Promise<string> => {
  const { items } = await client.agents.list({ limit: 200 });
  if (items.length < 2 || io.stdin.isTTY !== true || !isInteractive(io.stdout, io.env)) return defaultAgent(client);
  const options = items.map((agent) => ({ value: agent.id, label: oneLine(agent.displayName, 40), hint: oneLine(agent.description, 60) }));
  const chosen = await select<string>({ message: 'Agent', options });
  if (isCancel(chosen)) throw new UsageError('No agent was chosen.');
  return chosen;
};
