/**
 * Answers to the forms of a running call that were taken and did not reach it (RN7).
 *
 * CW4 Each is told of once, when nothing can reach the call any more. It is news, and holds up nothing: where the store cannot be
 *     asked it is left out.
 */
import type { AnswerLoss } from '@turnkeeper/core/session/commands';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { readLogPage } from '../app/log-pages.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { ToolStep } from './running-call.ts';

export class LostAnswers {
  readonly #step: ToolStep;
  readonly #awaited = new Set<string>();

  constructor(step: ToolStep) {
    this.#step = step;
  }

  /** The form is open: an answer to it is to reach the tool. */
  awaits(id: string): void {
    this.#awaited.add(id);
  }

  /** The tool was told what became of it. */
  over(id: string): void {
    this.#awaited.delete(id);
  }

  /** What was answered to this form, if anything was, does not reach the tool. */
  async tell(id: string, reason: AnswerLoss): Promise<void> {
    if (this.#awaited.delete(id)) await this.#tell(id, reason).catch(() => {});
  }

  /** The call has ended, durably. */
  async tellRest(): Promise<void> {
    for (const id of [...this.#awaited]) await this.tell(id, 'call_ended');
  }

  async #tell(id: string, reason: AnswerLoss): Promise<void> {
    const { services, session, turnId, report } = this.#step;
    const row = await services.store.resource(session.head.sid, id);
    if (!row || (JSON.parse(row.body) as ActionBody).status !== 'answered') return;
    const commandId = await answeredBy(services.store, session.head.sid, { id, from: row.n });
    if (commandId === undefined) return;
    await report(({ live }) => {
      const tells = live?.id === turnId && live.status === 'running' && !live.openActions.some((action) => action.id === id);
      return tells ? [{ type: 'reject_answer', turnId, requestId: id, commandId, reason }] : [];
    });
  }
}

/** The command that answered an action which was asked at this place of the log. */
const answeredBy = async (store: SessionStore, sid: number, { id, from }: { readonly id: string; readonly from: number }): Promise<string | undefined> => {
  for (let after = from; ; ) {
    const { rows, full } = await readLogPage(store, { sid, after });
    for (const { type, data } of rows) {
      if (type !== 'required_action.accepted') continue;
      const { request_id, command_id } = JSON.parse(data) as { readonly request_id: string; readonly command_id: string };
      if (request_id === id) return command_id;
    }
    const last = rows.at(-1);
    if (!full || !last) return undefined;
    after = last.seq;
  }
};
