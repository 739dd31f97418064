/** Waits until a mini-tool that was enabled runs, or does not. */
import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import type { CommandContext } from '../command-context.ts';

const everyMs = 250;
const mostMs = 60_000;

export const settled = async ({ client, io }: Pick<CommandContext, 'client' | 'io'>, id: string): Promise<MinitoolDetails> => {
  const until = performance.now() + mostMs;
  for (;;) {
    const { minitool } = await client.minitools.get(id);
    // One that waits has crashed already: how often it is tried again is the server's affair.
    if (minitool.activity !== 'starting' || performance.now() > until || io.interrupted.aborted) return minitool;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};
