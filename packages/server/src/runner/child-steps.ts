/**
 * What a held session owes to its children and to its parent (core, pending-work): done by the rules of app/family.ts.
 *
 * CS1 Whoever waits for a child holds no slot, and is taken up by the child's word; once a minute it looks by itself.
 * CS2 Nothing of a child begins once its root is deleted: the child is deleted instead (CF2).
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Family } from '../app/family.ts';
import { isChild } from '../app/is-child.ts';
import type { Lane, Session } from '../app/lane.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { StepReport } from './model-step.ts';

/** How often a parent looks at children that say nothing. */
export const lookMs = 60_000;
/** How often a parent that stops looks whether its children have. */
const stoppingMs = 250;

export class ChildSteps {
  readonly #family: Family;
  readonly #clock: Clock;
  readonly #lane: Lane;
  readonly #report: StepReport;

  constructor({ family, clock, lane, report }: { readonly family: Family; readonly clock: Clock; readonly lane: Lane; readonly report: StepReport }) {
    this.#family = family;
    this.#clock = clock;
    this.#lane = lane;
    this.#report = report;
  }

  /** `closed`: it is cancelled as it is made, and nothing of it begins. */
  async make(childId: SessionId, closed = false): Promise<void> {
    const made = await this.#family.make(await this.#lane.load(), childId, closed);
    if ('fault' in made) {
      // Somebody else may have made it before what it is made of was lost: once it is refused here, nobody looks for it again.
      await this.#family.cancel(childId);
      await this.#family.refuse(this.#lane, childId, made);
    } else await this.#report((state) => (isOwed(state, childId) ? [{ type: 'child_made', childId, ...made }] : []));
  }

  /** A child that may not exist is made first: no late `create` of a node that is taken for dead can set it going then. */
  async close(childId: SessionId): Promise<void> {
    const session = await this.#lane.load();
    if (isOwed(session.state, childId)) await this.make(childId, true);
    await this.#family.cancel(childId);
    await this.#family.look(await this.#lane.load(), this.#lane, childId);
  }

  /** It is asked to go on; then it is looked at, as it may have been stopped again before that was noted here. */
  async resume(childId: SessionId): Promise<void> {
    await this.#family.resume(childId);
    await this.#report(({ children }) => (children?.some(({ id, resume }) => id === childId && resume) ? [{ type: 'child_resumed', childId }] : []));
    await this.#family.look(await this.#lane.load(), this.#lane, childId);
  }

  /** It is asked to pause, and looked at; one that has not begun yet is asked again a little later (N7). */
  async pause(childId: SessionId): Promise<void> {
    await this.#family.pause(childId);
    await this.#family.look(await this.#lane.load(), this.#lane, childId);
  }

  async tell(news: number): Promise<void> {
    await this.#family.tell(await this.#lane.load());
    await this.#report(() => [{ type: 'parent_told', news }]);
  }

  /** Looks at the children that the turn waits for. */
  async look(): Promise<void> {
    for (const { id } of (await this.#lane.load()).state.children ?? []) await this.#family.look(await this.#lane.load(), this.#lane, id);
  }

  /** Cancels the children that are to be closed, and resolves when all of them have ended. */
  async stop(signal: AbortSignal): Promise<void> {
    for (;;) {
      const closing = ((await this.#lane.load()).state.children ?? []).filter((link) => link.closing);
      if (closing.length === 0 || signal.aborted) return;
      await Promise.all(closing.map(({ id }) => this.close(id)));
      const { state } = await this.#lane.load();
      if (state.children?.some((link) => link.closing)) await sleep(this.#clock, stoppingMs, signal).catch(() => {});
    }
  }

  /** Deletes the session where its root is deleted. True when nothing of it is to begin. */
  async isOver({ row }: Session): Promise<boolean> {
    if (!isChild(row) || !(await this.#family.isOrphan(row))) return false;
    await this.#report(() => [{ type: 'delete' }]);
    return true;
  }
}

const isOwed = ({ children }: SessionState, childId: SessionId): boolean => children?.find(({ id }) => id === childId)?.status === 'owed';
