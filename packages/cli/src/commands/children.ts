/** `turnkeeper children [session]`: the sessions that it delegated to, and theirs. */
import type { Client } from '@turnkeeper/client/create-client';
import type { SubagentBody } from '@turnkeeper/core/view/subagent';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { childCells } from '../output/child-text.ts';
import { printList } from '../output/print-list.ts';
import { resolveSession } from '../session-ref.ts';

const pageLimit = 200;

/** Each child before its own, in the order in which they were made. */
async function* everyChild(client: Client, sessionId: string): AsyncGenerator<SubagentBody> {
  for (let after: string | undefined; ; ) {
    const { data, next_cursor } = await client.subagents.list(sessionId, { limit: pageLimit, ...(after === undefined ? {} : { after }) });
    for (const { data: child } of data) {
      yield child;
      yield* everyChild(client, child.child_session_id);
    }
    if (next_cursor === null) return;
    after = next_cursor;
  }
}

export type ChildrenOptions = { readonly open?: boolean };

export const children = async (context: CommandContext, ref: string | undefined, { open }: ChildrenOptions): Promise<ExitCode> => {
  const { client } = context;
  const session = await resolveSession(client, ref);
  const found: SubagentBody[] = [];
  for await (const child of everyChild(client, session.id)) if (!open || child.ended_at === undefined) found.push(child);
  printList(context, found, { row: childCells, none: `${session.id} has ${open ? 'no open children' : 'delegated nothing'}.` });
  return exitCodes.completed;
};
