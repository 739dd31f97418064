/**
 * That somebody looks at a session of a mini-tool here: what is new in it is unread no more. Programs (`--json`) are nobody, and who
 * may only read it takes nothing away from those whose it is: that the server refuses this is no trouble here.
 */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { CommandContext } from './command-context.ts';

type Looking = Pick<CommandContext, 'client' | 'json'>;

const tell = async ({ client }: Looking, { id }: SessionResource): Promise<void> => {
  await client.minitools.seen(id).catch(() => {});
};

/** It was shown once. */
export const markSeen = async (context: Looking, session: SessionResource): Promise<void> => {
  if (!context.json && session.unread) await tell(context, session);
};

/** It is watched for a while: what comes meanwhile was seen, too. */
export const whileSeen = async <Of>(context: Looking, session: SessionResource | undefined, watch: () => Promise<Of>): Promise<Of> => {
  if (session === undefined) return watch();
  await markSeen(context, session);
  try {
    return await watch();
  } finally {
    // Only mini-tools' sessions have an activity; one without a mark loses none.
    if (!context.json && session.activity !== undefined) await tell(context, session);
  }
};
