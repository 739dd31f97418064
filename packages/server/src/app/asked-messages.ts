/**
 * What a turn was asked: where it is kept depends on whether it has started.
 *
 * AM1 A turn that waits keeps its input beside the log; one that has started keeps it as the first of its items, before what was said to it
 *     meanwhile.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { ItemBody } from '@turnkeeper/core/view/item';
import type { SessionStore } from '../ports/session-store.ts';

/** Of the items that a turn begins with, and of what was said to the session lately. */
const mostItems = 200;
const mostInputs = 200;

type Of = { readonly sid: number; readonly turnId: TurnId; readonly n: number };

/** Undefined where it is not kept any more. */
export const askedMessages = async (
  store: Pick<SessionStore, 'payload' | 'resources'>,
  { sid, turnId, n }: Of,
): Promise<readonly UserMessage[] | undefined> => {
  const waiting = await store.payload(sid, n);
  if (waiting !== undefined) return JSON.parse(waiting) as readonly UserMessage[];
  const page = await store.resources(sid, [
    { kind: 'item', idPrefix: `item_${turnId.slice('turn_'.length)}_`, limit: mostItems },
    { kind: 'input', limit: mostInputs, newest: true },
  ]);
  const [items = [], inputs = []] = page?.resources ?? [];
  const saidMeanwhile = new Set(inputs.flatMap(({ body }) => (JSON.parse(body) as InputBody).item_ids ?? []));
  const bodies = items.map(({ body }) => JSON.parse(body) as ItemBody);
  const first = bodies.findIndex(({ item }) => item.role !== 'user');
  const asked = bodies.slice(0, first === -1 ? bodies.length : first).filter(({ item_id }) => !saidMeanwhile.has(item_id));
  return asked.length === 0 ? undefined : asked.map(({ item }): UserMessage => ({ role: 'user', content: item.content as UserMessage['content'] }));
};
