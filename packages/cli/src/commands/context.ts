/** `turnkeeper checkpoints`, `restore-context`, `fork`: the context of a session, going on from an earlier one, a session that begins with it. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { programName } from '../program-name.ts';
import { resolveSession } from '../session-ref.ts';
import { ago } from '../time.ts';

/** What a person looks through; older ones are reached by their id. */
const mostListed = 200;

export const checkpoints = async (context: CommandContext, ref: string | undefined, { limit }: { readonly limit?: number }): Promise<ExitCode> => {
  const { client, note } = context;
  const session = await resolveSession(client, ref);
  const page = await client.context.checkpoints(session.id, { limit: limit ?? 20 });
  printList(context, page.data, {
    none: 'No checkpoint yet: one is taken after every turn.',
    row: ({ checkpoint_id, created_at, reason, turn_id }) => [checkpoint_id, `${ago(Date.now() - created_at).padStart(3)} ago`, reason, turn_id ?? ''],
  });
  if (page.has_more) note(`… more: --limit ${(limit ?? 20) * 2}`);
  return exitCodes.completed;
};

const noPlace = (wanted: string, sessionId: string): UsageError =>
  new UsageError(
    `"${wanted}" is no checkpoint (ckpt_…) of ${sessionId}, and no turn (turn_…) that left one. List them with: ${programName} checkpoints ${sessionId}`,
  );

/** By a checkpoint's id or its beginning, or by a turn's id: what the context was after it. */
const findCheckpoint = (listed: readonly CheckpointResource[], wanted: string, sessionId: string): string => {
  const ofTurn = listed.find(({ turn_id, reason }) => turn_id === wanted && reason.startsWith('turn.'));
  if (ofTurn) return ofTurn.checkpoint_id;
  const fits = listed.filter(({ checkpoint_id }) => checkpoint_id.startsWith(wanted));
  const exact = fits.find(({ checkpoint_id }) => checkpoint_id === wanted);
  if (!exact && fits.length > 1) throw new UsageError(`"${wanted}" fits ${fits.length} checkpoints.`);
  const found = exact ?? fits[0];
  if (found) return found.checkpoint_id;
  // Older than what was listed: the server knows whole ids all the same.
  if (wanted.startsWith('ckpt_')) return wanted;
  throw noPlace(wanted, sessionId);
};

export type RestoreOptions = { readonly to: string; readonly reason?: string };

export const restoreContext = async (context: CommandContext, ref: string, { to, reason = '' }: RestoreOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const { id } = await resolveSession(client, ref);
  const { data } = await client.context.checkpoints(id, { limit: mostListed });
  const checkpoint_id = findCheckpoint(data, to, id);
  const session = await client.context.restore(id, { checkpoint_id, reason }, { idempotencyKey: freshKey('restore') });
  if (json) printJson(session);
  else print(`${id} goes on from ${checkpoint_id}; what was said since stays in its history`);
  return exitCodes.completed;
};

export type ForkOptions = { readonly at?: string; readonly into?: string; readonly title?: string; readonly space?: string; readonly reason?: string };

/** A turn or a checkpoint, by its id. */
const placeOf = (at: string | undefined, sessionId: string) => {
  if (at === undefined) return {};
  if (at.startsWith('turn_')) return { at };
  if (at.startsWith('ckpt_')) return { checkpoint_id: at };
  throw noPlace(at, sessionId);
};

export const fork = async (context: CommandContext, ref: string | undefined, options: ForkOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const { at, into, title, space, reason = '' } = options;
  const source = await resolveSession(client, ref);
  const target = into === undefined ? {} : { target_session_id: (await resolveSession(client, into)).id };
  const made = { ...(title === undefined ? {} : { title }), ...(space === undefined ? {} : { space }) };
  const session = await client.context.fork(source.id, { ...placeOf(at, source.id), ...target, ...made, reason }, { idempotencyKey: freshKey('fork') });
  if (json) printJson(session);
  else print(`${session.id} (${oneLine(session.title || 'no title', 60)}) begins with the context of ${source.id}`);
  return exitCodes.completed;
};
