/**
 * What sessions of one tree do for each other: a parent makes and cancels its children, a child tells its parent.
 *
 * CF1 Every effect on another session is a command of that session, decided on its own state: made twice, it changes nothing
 *     the second time. Whoever does it may die at any point (docs/decisions/0015).
 * CF2 A child is there while its root is: nothing is begun for one whose root is deleted, and whoever finds it so deletes it.
 * CF4 What a parent knows of a child last is how the child is, whoever told it: one that another may have overtaken
 *     is read again.
 */
import type { ChildName, ChildReport } from '@turnkeeper/core/session/child-report';
import { resumeRefusal } from '@turnkeeper/core/session/decide/client';
import { pauseRefusal } from '@turnkeeper/core/session/decide/flow';
import { steerRefusal } from '@turnkeeper/core/session/decide/inputs';
import type { Submitter } from '@turnkeeper/core/session/events';
import { readState } from '@turnkeeper/core/session/formats';
import { childCancelId, childPauseId, childResumeId, childTurnId, parentTurnOf, type SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { childReport, goneReport } from '@turnkeeper/core/view/child-report';
import { submitterOf, type TurnBody } from '@turnkeeper/core/view/turn';
import type { Clock } from '../ports/clock.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { configRef, createAsk } from './frozen-config.ts';
import { isChild } from './is-child.ts';
import type { PinnedAgent } from './judge-config.ts';
import type { Lane, Session } from './lane.ts';
import type { Plan } from './lane-batch.ts';
import { newSession } from './new-session.ts';
import type { Sessions } from './sessions.ts';
import { titleFrom } from './turn-input.ts';
import { wantedChild } from './wanted-child.ts';

type Note = { readonly inputId: string; readonly commandId: string; readonly text: string };
type Found = { readonly lane: Lane; readonly session: Session };

/** Actions of a child that are told at once; more are found where they are open. */
const mostActions = 200;

export class Family {
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  readonly #pinned: PinnedAgent;

  /** `pinned`: where the agents are found that judge turns. */
  constructor(sessions: Sessions, clock: Clock, pinned: PinnedAgent = async () => undefined) {
    this.#sessions = sessions;
    this.#pinned = pinned;
    this.#clock = clock;
  }

  /** True when the child's root is deleted, or was never there (CF2). Looks at nothing for a root. */
  async isOrphan(row: Pick<SessionRow, 'id' | 'root'>): Promise<boolean> {
    if (!isChild(row)) return false;
    const found = await this.#sessions.find(row.root);
    return !found || found.session.row.deletedAt !== null;
  }

  /** Makes the child, unless it exists; `closed`: cancelled. What it is, or why it cannot be. */
  async make(parent: Session, childId: SessionId, closed = false): Promise<ChildName | { readonly fault: string; readonly child: ChildName }> {
    const wanted = await wantedChild({ store: this.#sessions.store, pinned: this.#pinned }, parent, childId);
    const n = childId.slice(childId.lastIndexOf('-') + 1);
    const path = [...(parent.row.path === '' ? [] : [parent.row.path]), `${wanted.name}:${n}`].join('/');
    const { config, input, begins } = wanted;
    const child: ChildName = { name: wanted.name, agentId: config?.target.id ?? '', path };
    if (!config) return { fault: `There is nobody called "${wanted.name}" to delegate to.`, child };
    if ('fault' in input) return { fault: input.fault, child };
    const at = this.#clock.now();
    const { owner, root, placement } = parent.row;
    const row: Omit<SessionRow, 'sid'> = {
      ...{ id: childId, owner, root, path, placement, configRef: configRef(config), title: titleFrom(input, config.target.name), metadata: '{}' },
      ...{ status: 'idle', archivedAt: null, deletedAt: null, createdAt: at, updatedAt: at },
    };
    const turnId = childTurnId(childId);
    const plan: Plan = {
      asks: [
        createAsk(config, { sessionId: parent.row.id, path }),
        ...(begins ? [{ type: 'initialize_context', ...begins, reason: 'continued' } as const] : []),
        { type: 'submit', turnId, preview: input.preview, submitter: await this.#submitterOf(parent, childId) },
        ...(closed ? [{ type: 'cancel', turnId, commandId: childCancelId(childId) } as const] : []),
      ],
      input: { turnId, messages: input.messages },
      adopt: true,
    };
    await this.#sessions.limits.ready(owner);
    const { session, prepared } = newSession({ sessions: this.#sessions }, { row, config, plan, receipts: () => [] });
    const result = await this.#sessions.create(session, { config, batch: prepared.batch });
    // `conflict`: it was made before.
    if (!result.ok && result.reason !== 'conflict') throw new Error(`a child session was refused: ${result.reason}`);
    return child;
  }

  /** What is delegated belongs to the key of the turn that delegates it. */
  async #submitterOf({ head }: Session, childId: SessionId): Promise<Submitter> {
    const row = await this.#sessions.store.resource(head.sid, parentTurnOf(childId));
    return row ? submitterOf(JSON.parse(row.body) as TurnBody) : {};
  }

  /** Tells the parent that the child could not be made: its call has a result all the same. */
  async refuse(parent: Lane, childId: SessionId, { fault, child }: { readonly fault: string; readonly child: ChildName }): Promise<void> {
    const report: ChildReport = {
      ...child,
      actions: [],
      closed: {},
      is: { status: 'failed', output: [{ type: 'text', text: fault }], errorCode: 'not_found' },
    };
    await parent.command(() => ({ asks: [{ type: 'child_report', childId, report }] }));
  }

  /** Asks the child to cancel, once. False when it is not there. */
  async cancel(childId: SessionId): Promise<boolean> {
    const found = await this.#sessions.find(childId);
    if (!found || found.session.row.deletedAt !== null) return false;
    const turnId = childTurnId(childId);
    const isOpen = ({ live, queue }: SessionState): boolean => (live?.id === turnId && !live.cancelRequested) || queue.some(({ id }) => id === turnId);
    await found.lane.command((state) => ({
      asks: isOpen(state) ? [{ type: 'cancel', turnId, commandId: childCancelId(childId) }] : [],
      adopt: true,
    }));
    return true;
  }

  /** Asks an interrupted child to go on. One that cannot, or does already, is left as it is. */
  async resume(childId: SessionId): Promise<void> {
    const found = await this.#sessions.find(childId);
    if (!found || found.session.row.deletedAt !== null) return;
    const turnId = childTurnId(childId);
    await found.lane.command((state) => ({
      asks:
        resumeRefusal(state, turnId, true) === undefined
          ? [{ type: 'resume', turnId, commandId: childResumeId(childId, state.live?.runs ?? 0), ofParent: true }]
          : [],
      adopt: true,
    }));
  }

  /** Pauses a child that is a workflow with its parent's turn. One that has not begun, or stands still already, is left as it is. */
  async pause(childId: SessionId): Promise<void> {
    const found = await this.#sessions.find(childId);
    if (!found || found.session.row.deletedAt !== null) return;
    const turnId = childTurnId(childId);
    await found.lane.command((state) => ({
      asks:
        pauseRefusal(state, turnId, true) === undefined
          ? [{ type: 'pause', turnId, commandId: childPauseId(childId, state.live?.runs ?? 0), ofParent: true }]
          : [],
      adopt: true,
    }));
  }

  /** Says something to the child's turn, once, however often it is asked to. False where nobody hears it any more, or yet. */
  async note(childId: SessionId, { inputId, commandId, text }: Note): Promise<boolean> {
    const found = await this.#sessions.find(childId);
    if (!found || found.session.row.deletedAt !== null) return false;
    if (await this.#sessions.store.resource(found.session.head.sid, inputId)) return true;
    const turnId = childTurnId(childId);
    let told = false;
    await found.lane.command((state) => {
      told = steerRefusal(state, turnId) === undefined;
      const input = [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }];
      return { asks: told ? [{ type: 'steer', turnId, inputId, commandId, input }] : [], adopt: true };
    });
    return told;
  }

  /** The child's own word: tells its parent how it is now. */
  async tell(child: Session): Promise<void> {
    const parent = child.state.parent && (await this.#sessions.find(child.state.parent.id));
    if (parent && parent.session.row.deletedAt === null) await this.#reportUntilTrue(parent, child);
  }

  /** The parent looks by itself: a net below the child's word. */
  async look(parent: Session, lane: Lane, childId: SessionId): Promise<void> {
    const found = await this.#sessions.find(childId);
    const link = parent.state.children?.find(({ id }) => id === childId);
    if (!link || link.status === 'owed') return;
    if (found && found.session.row.deletedAt === null) {
      await this.#reportUntilTrue({ lane, session: parent }, found.session);
      return;
    }
    const report = goneReport({ name: childId, agentId: '', path: parent.row.path });
    await lane.command(() => ({ asks: [{ type: 'child_report', childId, report }], adopt: true }));
  }

  /** What was read may be told behind a newer word, which nobody has a reason to tell again: then it is read again (CF4). */
  async #reportUntilTrue(parent: Found, child: Session): Promise<void> {
    for (;;) {
      const read = await this.#reportOf(child);
      if (!read) return;
      const { report, news } = read;
      await parent.lane.command(() => ({ asks: [{ type: 'child_report', childId: child.row.id, report }], adopt: true }));
      const stored = await this.#sessions.store.load(child.row.id);
      if (!stored || this.#newsIn(stored.state) === news) return;
    }
  }

  /** How much a child has to tell, by its stored state. */
  #newsIn(state: string): number | undefined {
    return readState(this.#sessions.formats.formats, state)?.parent?.news;
  }

  /** Deletes what stands below a root that is deleted. */
  async deleteBelow(root: SessionId): Promise<void> {
    for (;;) {
      const rows = await this.#sessions.store.descendants({ root, under: '', limit: 100 });
      for (const { id } of rows) await this.delete(id);
      if (rows.length < 100) return;
    }
  }

  async delete(id: SessionId): Promise<void> {
    const found = await this.#sessions.find(id);
    await found?.lane
      .command(() => ({ asks: [{ type: 'delete' }] }))
      .catch((error: unknown) => {
        if ((error as { readonly code?: string }).code !== 'not_found') throw error;
      });
  }

  /** What it has to tell, and how much that is, of one moment. */
  async #reportOf({ row, head, config }: Session): Promise<{ readonly report: ChildReport; readonly news: number | undefined } | undefined> {
    const turnId = childTurnId(row.id);
    const page = await this.#sessions.store.resources(head.sid, [
      { kind: 'turn', limit: 1, idPrefix: turnId },
      { kind: 'required_action', limit: mostActions, newest: true },
    ]);
    const [turns = [], actions = []] = page?.resources ?? [];
    const turn = turns[0] && (JSON.parse(turns[0].body) as TurnBody);
    if (!page || !turn) return undefined;
    const last = row.path.slice(row.path.lastIndexOf('/') + 1);
    const child = { id: row.id, name: last.slice(0, last.lastIndexOf(':')), agentId: config.target.id, path: row.path };
    const report = childReport(child, { turn, actions: actions.map(({ body }) => JSON.parse(body) as ActionBody), asOf: page.asOf });
    return { report, news: this.#newsIn(page.state) };
  }
}
