/**
 * Notes that a team's leader left for members that were not at work.
 *
 * TV3 A note that was kept stands in front of the one piece of its member that is begun next, whatever became of that piece's earlier
 *     attempts. It is told by the places of the two in the log, so that nothing is remembered of it, and whoever makes the child, and
 *     whenever, finds the same.
 */
import { textOf } from '@turnkeeper/core/protocol/text-of';
import { stepId, type TurnId } from '@turnkeeper/core/session/ids';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { ResourceRow, SessionStore } from '../ports/session-store.ts';

const noteTool = 'send_note';
const kept = /^Kept for ([^:]+): /;
/** What the leader is told of a note that nobody hears now. It is also how such a note is known. */
export const keptWords = (member: string): string => `Kept for ${member}: it will stand in front of what you delegate to it next.`;

/** Calls and steps of a turn that are looked through. */
const mostParts = 10_000;

const bodyOf = <Body>({ body }: ResourceRow): Body => JSON.parse(body) as Body;

/** Whom the note waits for; undefined of any other call. */
const keptFor = ({ name, status, output }: ToolBody): string | undefined =>
  name === noteTool && status === 'success' ? kept.exec(textOf(output))?.[1] : undefined;

/** What was kept for the member until this piece of its was begun, and since the one before. */
export const notesFor = async (store: SessionStore, sid: number, turnId: TurnId, step: StepBody): Promise<readonly string[]> => {
  const page = await store.resources(sid, [
    { kind: 'tool', idPrefix: `${turnId}:`, limit: mostParts },
    { kind: 'step', idPrefix: stepId(turnId, ''), limit: mostParts },
  ]);
  const [calls = [], steps = []] = page?.resources ?? [];
  const places = steps.filter((row) => bodyOf<StepBody>(row).name === step.name).map(({ id, n }) => ({ id, n }));
  const begun = places.find(({ id }) => id === step.step_id)?.n ?? 0;
  const since = Math.max(0, ...places.map(({ n }) => n).filter((n) => n < begun));
  return calls.flatMap((row) => {
    if (row.lastSeq <= since || row.lastSeq >= begun) return [];
    const call = bodyOf<ToolBody>(row);
    return keptFor(call) === step.name ? [String(call.input['text'] ?? '')] : [];
  });
};

/** A piece with the notes in front of it. */
export const withNotes = (message: string, notes: readonly string[]): string =>
  notes.length === 0 ? message : `[Notes from the leader]\n${notes.map((note) => `- ${note}`).join('\n')}\n\n${message}`;
