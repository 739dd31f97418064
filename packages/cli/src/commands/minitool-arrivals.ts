/** `turnkeeper minitool arrivals`: what came in by its webhooks, and how it was answered. The newest first. */
import type { MinitoolArrival } from '@turnkeeper/core/protocol/wire/minitools';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';

const signatureTexts: { readonly [Of in MinitoolArrival['signature']]: string } = {
  verified: 'signed',
  wrong: 'wrongly signed',
  not_wanted: 'no signature wanted',
  not_checked: '',
};

export const minitoolArrivals = async (context: CommandContext, id: string): Promise<ExitCode> => {
  const { items } = await context.client.minitools.arrivals(id);
  printList(context, items, {
    none: 'Nothing came in since the server was started.',
    row: ({ at, hook, status, outcome, code, signature, bytes, durationMs }) => [
      new Date(at).toISOString(),
      hook,
      String(status),
      code ?? outcome,
      signatureTexts[signature],
      `${bytes} B`,
      `${durationMs} ms`,
    ],
  });
  return exitCodes.completed;
};
