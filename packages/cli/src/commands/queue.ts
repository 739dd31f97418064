/** `turnkeeper queue [session]`: the turns that wait; put into another order, or taken out. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { QueueResource } from '@turnkeeper/core/protocol/wire/inputs';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import { resolveSession } from '../session-ref.ts';

type QueueOptions = { readonly first?: string; readonly remove?: string };

/** A queued turn by its id, the beginning of one, or its place. */
const queuedTurn = ({ items }: QueueResource, ref: string): string => {
  const fits = /^\d{1,4}$/.test(ref) ? items.slice(Number(ref) - 1, Number(ref)) : items.filter(({ id }) => id.startsWith(ref) || id.startsWith(`turn_${ref}`));
  if (fits.length !== 1) throw new UsageError(fits.length === 0 ? `"${ref}" is not in the queue.` : `"${ref}" fits ${fits.length} queued turns.`);
  return fits[0]?.id ?? '';
};

const changed = async ({ client }: CommandContext, sessionId: string, queue: QueueResource, { first, remove }: QueueOptions): Promise<QueueResource> => {
  if (remove !== undefined) {
    await client.queue.remove(sessionId, queuedTurn(queue, remove), { idempotencyKey: freshKey('unqueue') });
    return client.queue.get(sessionId);
  }
  if (first === undefined) return queue;
  const id = queuedTurn(queue, first);
  const others = queue.items.map((turn) => turn.id).filter((other) => other !== id);
  return client.queue.reorder(sessionId, [id, ...others], queue.version);
};

export const queue = async (context: CommandContext, ref: string | undefined, options: QueueOptions): Promise<ExitCode> => {
  const { client, json, print, printJson, note } = context;
  if (options.first !== undefined && options.remove !== undefined) throw new UsageError('Give --first or --remove, not both.');
  const session = await resolveSession(client, ref);
  const now = await changed(context, session.id, await client.queue.get(session.id), options);
  if (json) {
    printJson(now);
    return exitCodes.completed;
  }
  if (now.current) note(`${now.current.id} is ${now.current.status}.`);
  if (now.items.length === 0) note(`Nothing waits in ${session.id}.`);
  for (const [index, { id, preview }] of now.items.entries()) print(`${index + 1}  ${id}  ${oneLine(preview)}`);
  return exitCodes.completed;
};
