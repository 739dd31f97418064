/**
 * Forms that a running tool puts to people: opened as actions of its call, waited for, opened again by nobody else (FV1).
 *
 * CW1 Whoever waits is told in the end, whatever becomes of the form: answered, declined, expired, or closed with its call or run.
 * CW2 The forms of one call are put one after the other; the call's time stands still while it waits for one.
 * CW3 A session that works in the background asks nobody, and says so at once.
 */
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { ToolNote } from '@turnkeeper/core/session/events';
import { requestId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { createFormKey, type FormKey } from '../app/form-sealing.ts';
import type { AskedForm, FormAnswer } from '../ports/tool.ts';
import type { CallTimer } from './call-timer.ts';
import type { LostAnswers } from './lost-answers.ts';
import { isRunning, type ToolStep } from './running-call.ts';
import type { Answering } from './tool-permission.ts';

/** Who is asked while a call runs, until when, and what they are told of its tool. */
export type FormTerms = Answering & { readonly note?: ToolNote };

const ended: FormAnswer = { submitted: false, reason: 'session-ended' };

export class CallForms {
  readonly #step: ToolStep;
  readonly #timer: CallTimer;
  readonly #answers: LostAnswers;
  #last: Promise<unknown> = Promise.resolve();
  readonly #over = new AbortController();

  constructor(step: ToolStep, timer: CallTimer, answers: LostAnswers) {
    this.#step = step;
    this.#timer = timer;
    this.#answers = answers;
  }

  readonly ask = (asked: AskedForm): Promise<FormAnswer> => {
    const answer = this.#last.then(() => this.#ask(asked));
    this.#last = answer.catch(() => {});
    return answer;
  };

  /** The call has its result: nobody waits for people any more. */
  end(): void {
    this.#over.abort();
  }

  async #ask(asked: AskedForm): Promise<FormAnswer> {
    const { services, session, signal } = this.#step;
    const until = AbortSignal.any([signal, this.#over.signal]);
    if (until.aborted) return ended;
    if (services.isBackground(session)) return { submitted: false, reason: 'background' };
    this.#timer.pause();
    try {
      const key = createFormKey();
      const id = await this.#open(asked, key);
      return id === undefined ? ended : await this.#answerTo(id, key, asked, until);
    } finally {
      this.#timer.resume();
    }
  }

  /** The id of the action, once it is open. */
  async #open({ form, timeoutMs }: AskedForm, key: FormKey): Promise<string | undefined> {
    const step = this.#step;
    const { turnId, callId, input } = step;
    const { expiresAt = Infinity, ...terms } = await step.formTerms();
    const { clock } = step.services;
    const until = Math.min(expiresAt, timeoutMs === undefined ? Infinity : clock.now() + Math.min(timeoutMs, limits.expirySeconds * 1_000));
    const expires = until === Infinity ? {} : { expiresAt: until };
    let id: string | undefined;
    const opened = await step.report((state) => {
      id = isRunning(state, step) && !state.live?.cancelRequested ? requestId(turnId, (state.live?.actions ?? 0) + 1) : undefined;
      return id === undefined ? [] : [{ type: 'ask_form', callId, input, form, key: key.answerKey, ...terms, ...expires }];
    });
    if (!opened || id === undefined) return undefined;
    this.#answers.awaits(id);
    return id;
  }

  async #answerTo(id: string, key: FormKey, { signal: wanted }: AskedForm, until: AbortSignal): Promise<FormAnswer> {
    const { watch, services, session, state } = this.#step;
    const given = wanted === undefined ? until : AbortSignal.any([until, wanted]);
    while (!given.aborted) {
      const moved = watch.next(given);
      const known = state();
      if (!known || !isOpen(known, id)) {
        const row = await services.store.resource(session.head.sid, id);
        const action = row && (JSON.parse(row.body) as ActionBody);
        // It has ended meanwhile: what was answered reaches nobody, which is told with the rest.
        if (until.aborted) return ended;
        if (action?.status !== 'open') return this.#given(id, action, key);
      }
      await moved;
    }
    if (until.aborted) return ended;
    const { callId } = this.#step;
    await this.#step.report((now) => (isOpen(now, id) ? [{ type: 'take_back_form', callId }] : []));
    // Somebody may have answered in the same moment.
    await this.#answers.tell(id, 'withdrawn');
    return { submitted: false, reason: 'cancelled' };
  }

  async #given(id: string, action: ActionBody | undefined, key: FormKey): Promise<FormAnswer> {
    const answer = answerOf(action, key);
    if (action?.status === 'answered' && !answer.submitted) await this.#answers.tell(id, 'unreadable');
    this.#answers.over(id);
    return answer;
  }
}

const isOpen = ({ live }: SessionState, id: string): boolean => live?.openActions.some((action) => action.id === id) === true;

const answerOf = (action: ActionBody | undefined, key: FormKey): FormAnswer => {
  switch (action?.status) {
    case 'answered': {
      const values = action.sealed === undefined ? undefined : key.open(action.request_id, action.sealed);
      return values ? { submitted: true, values } : ended;
    }
    case 'denied':
      return { submitted: false, reason: 'cancelled' };
    case 'expired':
      return { submitted: false, reason: 'timeout' };
    case 'cancelled':
    case 'open':
    case undefined:
      return ended;
  }
};
