/** `turnkeeper minitool default-agent`: the agent of containers that have none of their own. */
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';

/** Without an agent it says which one is set. */
export const minitoolDefaultAgent = async (
  { client, json, print, printJson }: CommandContext,
  agent: string | undefined,
  { unset = false }: { readonly unset?: boolean },
): Promise<ExitCode> => {
  if (unset && agent !== undefined) throw new UsageError('Name an agent, or take it back with --unset: not both.');
  const { minitools } = client;
  const answer = unset || agent !== undefined ? await minitools.putDefaults({ defaultAgent: agent ?? null }) : await minitools.defaults();
  if (json) printJson(answer);
  else print(answer.defaultAgent ?? 'none is set: the agent with the key default, else the first one');
  return exitCodes.completed;
};
