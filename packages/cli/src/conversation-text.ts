/**
 * What was said in a session up to a place, as lines: what its model would be told again. A session that began with the context of
 * another begins with what was said there.
 */
import type { Client } from '@turnkeeper/client/create-client';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { UsageError } from './exit-codes.ts';
import { printable } from './output/printable.ts';
import { programName } from './program-name.ts';
import { resolveSession } from './session-ref.ts';

/** A session, and the last turn of it that counts; without one, all of them. */
export type Place = { readonly session: SessionResource; readonly turnId?: string };

/** Forks of forks are followed this far. */
const mostForks = 8;
const pageLimit = 1_000;

/** `<session>`, `<session>/<turn>` or `<session>/<checkpoint>`. */
export const placeOf = async (client: Client, ref: string): Promise<Place> => {
  const [sessionRef = '', within] = ref.split('/');
  const session = await resolveSession(client, sessionRef);
  if (within === undefined) return { session };
  if (within.startsWith('turn_')) return { session, turnId: within };
  const { data } = await client.context.checkpoints(session.id, { limit: 200 });
  const turnId = data.find(({ checkpoint_id }) => checkpoint_id.startsWith(within))?.turn_id;
  if (!turnId)
    throw new UsageError(
      `"${within}" is no turn (turn_…) and no checkpoint of a turn (ckpt_…) of ${session.id}. List them with: ${programName} checkpoints ${session.id}`,
    );
  return { session, turnId };
};

const linesOf = ({ item }: ItemBody): readonly string[] => {
  const calls = item.content.flatMap((block) => (block.type === 'tool_use' ? [`⚙ ${block.name}(${JSON.stringify(block.input)})`] : []));
  const said = printable(textOf(item.content)).trimEnd();
  const [first = '', ...rest] = [...(said === '' ? [] : said.split('\n')), ...calls.map(printable)];
  return [`${item.role === 'user' ? '› ' : '  '}${first}`, ...rest.map((line) => `  ${line}`)];
};

const itemsOf = async ({ sessions }: Client, sessionId: string): Promise<{ readonly items: readonly ItemBody[]; readonly turns: readonly string[] }> => {
  const view = await sessions.snapshot(sessionId, { limit: pageLimit });
  const older: ItemBody[] = [];
  for (let after = view.page_cursors?.['items']; view.has_more?.['items'] && after; ) {
    const page = await sessions.resources(sessionId, 'items', { after, limit: pageLimit });
    older.push(...page.data.map(({ data }) => data as ItemBody));
    after = page.next_cursor ?? undefined;
  }
  const known = new Map([...older, ...view.items.map(({ data }) => data)].map((item) => [item.item_id, item]));
  return { items: [...known.values()], turns: view.turns.map(({ data }) => data.turn_id) };
};

export const conversationLines = async (client: Client, { session, turnId }: Place, depth = 0): Promise<readonly string[]> => {
  const { items, turns } = await itemsOf(client, session.id);
  if (turnId !== undefined && !turns.includes(turnId) && !items.some((item) => item.turn_id === turnId))
    throw new UsageError(`There is no turn "${turnId}" in ${session.id}. List them with: ${programName} show ${session.id}`);
  const last = turnId === undefined ? items.length : items.findLastIndex((item) => item.turn_id === turnId) + 1;
  const own = items.slice(0, last).flatMap(linesOf);
  const { forked_from } = session;
  if (!forked_from || forked_from.turn_id === null || depth >= mostForks) return own;
  const source = await client.sessions.get(forked_from.session_id).catch(() => undefined);
  if (!source) return ['  … (what it began with cannot be read)', ...own];
  return [...(await conversationLines(client, { session: source, turnId: forked_from.turn_id }, depth + 1)), ...own];
};
