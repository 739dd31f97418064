/**
 * Runs turns: of a session one after another, each as the script plays it.
 *
 * What a script does after its turn was cancelled has no effect.
 */
import type { SessionWait, SessionWaitResolver } from '../context/session-waits.ts';
import type { ToolResult } from '../context/tools.ts';
import { type KitAgent, type KitTurn, TurnFailed } from './agent.ts';
import type { TakenResponse } from './arguments.ts';
import type { KitClock } from './clock.ts';
import type { EventLog, NewEvent } from './event-log.ts';
import type { SessionState, Settled, TurnState } from './state.ts';

export type TurnParts = {
  readonly clock: KitClock;
  readonly log: EventLog;
  readonly agent: () => KitAgent;
  readonly nextId: (kind: 'msg' | 'wait') => string;
  readonly callTool: (session: SessionState, name: string, input: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
};

type WaitBody = SessionWait extends infer Each ? (Each extends SessionWait ? Omit<Each, 'sessionId' | 'turnId' | 'requestId' | 'createdAt'> : never) : never;

export class Turns {
  readonly #parts: TurnParts;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  /** Starts the next turn of a session, if none runs. */
  pump(session: SessionState): void {
    const next = session.turns.find(({ status }) => status !== 'settled');
    if (next?.status !== 'queued') return;
    next.status = 'running';
    // Not at once: a message is accepted before anything comes of it.
    setImmediate(() => void this.#run(session, next));
  }

  /** False where the turn had ended before. */
  cancel(session: SessionState, turn: TurnState): boolean {
    if (turn.status === 'settled') return false;
    this.#closeWaits(session, turn, 'system');
    this.#fail(session, turn, 'cancelled', false);
    return true;
  }

  /** Ends everything of a session without a word: nobody hears of a session that is gone. */
  drop(session: SessionState): void {
    for (const turn of session.turns.filter(({ status }) => status !== 'settled'))
      this.#settle(turn, {
        state: 'failed',
        sessionId: session.id,
        turnId: turn.id,
        code: 'session_deleted',
        retryable: false,
        failedAt: this.#parts.clock.iso(),
      });
  }

  /** Ends a wait. The caller has seen that it is open, and that the response is of its kind. */
  resolve(session: SessionState, requestId: string, response: TakenResponse | undefined, resolvedBy: SessionWaitResolver): void {
    const state = session.waits.get(requestId);
    if (!state || state.resolvedBy) return;
    state.resolvedBy = resolvedBy;
    const turn = session.turns.find(({ id }) => id === state.wait.turnId);
    if (turn) this.#tell(session, turn, { type: 'turn.wait_resolved', requestId, resolvedBy });
    state.resolve(response);
  }

  #tell(session: SessionState, turn: TurnState, more: { readonly type: string } & Record<string, unknown>, isLive = false): void {
    if (session.deleted) return;
    const { metadata } = turn.message;
    const event = { ...more, sessionId: session.id, turnId: turn.id, ...(metadata ? { metadata } : {}) } as unknown as NewEvent;
    if (isLive) this.#parts.log.live(event);
    else this.#parts.log.add(event);
  }

  #settle(turn: TurnState, result: Settled): void {
    turn.status = 'settled';
    turn.settled.resolve(result);
    turn.abort.abort(new Error('the turn has ended'));
  }

  #fail(session: SessionState, turn: TurnState, code: string, retryable: boolean): void {
    const failedAt = this.#parts.clock.iso();
    this.#settle(turn, { state: 'failed', sessionId: session.id, turnId: turn.id, code, retryable, failedAt });
    this.#tell(session, turn, { type: 'turn.failed', code, retryable });
    this.pump(session);
  }

  #complete(session: SessionState, turn: TurnState): void {
    const outputText = turn.said.at(-1)?.text ?? '';
    const messageIds = turn.said.map(({ messageId }) => messageId);
    this.#settle(turn, { state: 'completed', sessionId: session.id, turnId: turn.id, outputText, messageIds, completedAt: this.#parts.clock.iso() });
    this.#tell(session, turn, { type: 'turn.completed', outputText, messageIds });
    this.pump(session);
  }

  #closeWaits(session: SessionState, turn: TurnState, by: SessionWaitResolver): void {
    for (const { wait, resolvedBy } of session.waits.values()) if (wait.turnId === turn.id && !resolvedBy) this.resolve(session, wait.requestId, undefined, by);
  }

  async #run(session: SessionState, turn: TurnState): Promise<void> {
    if (turn.status === 'settled') return;
    const script = this.#scriptOf(session, turn);
    try {
      const last = await this.#parts.agent()(script);
      if (turn.abort.signal.aborted) return;
      if (typeof last === 'string') script.say(last);
      this.#complete(session, turn);
    } catch (error) {
      if (turn.abort.signal.aborted) return;
      this.#closeWaits(session, turn, 'system');
      if (error instanceof TurnFailed) this.#fail(session, turn, error.code, error.retryable);
      else this.#fail(session, turn, 'internal_error', false);
    }
  }

  #ask(session: SessionState, turn: TurnState, body: WaitBody): Promise<TakenResponse | undefined> {
    const { clock, nextId } = this.#parts;
    const requestId = nextId('wait');
    const wait = { ...body, sessionId: session.id, turnId: turn.id, requestId, createdAt: clock.iso() } as SessionWait;
    const { promise, resolve } = Promise.withResolvers<TakenResponse | undefined>();
    session.waits.set(requestId, { wait, resolvedBy: undefined, resolve });
    this.#tell(session, turn, { type: 'turn.waiting', reason: wait.kind, requestId, wait });
    for (const watcher of session.watchers) watcher();
    return promise;
  }

  #say(session: SessionState, turn: TurnState, text: string): void {
    if (turn.status === 'settled') return;
    const messageId = this.#parts.nextId('msg');
    turn.said.push({ messageId, text });
    this.#tell(session, turn, { type: 'assistant.delta', messageId, delta: text }, true);
    this.#tell(session, turn, { type: 'assistant.message', messageId, text });
  }

  #scriptOf(session: SessionState, turn: TurnState): KitTurn {
    const { clock, callTool } = this.#parts;
    const { signal } = turn.abort;
    return {
      sessionId: session.id,
      turnId: turn.id,
      number: turn.number,
      ...turn.message,
      get permissionMode() {
        return session.mode;
      },
      signal,
      say: (text) => this.#say(session, turn, text),
      askPermission: async (asked) => {
        if (session.mode === 'acceptCalls' && asked.destructive !== true) return true;
        const response = await this.#ask(session, turn, { kind: 'permission', toolInput: {}, ...asked });
        return response?.kind === 'permission' && response.allow;
      },
      askQuestions: async (questions) => {
        const response = await this.#ask(session, turn, { kind: 'question', questions });
        return response?.kind === 'question' ? response.answers : {};
      },
      askForm: async (form) => {
        const response = await this.#ask(session, turn, { kind: 'form', form });
        return response?.kind === 'form' ? { submitted: response.submitted, values: response.values ?? {} } : { submitted: false, values: {} };
      },
      callTool: (name, input) => callTool(session, name, input),
      sleep: (ms) =>
        new Promise((resolve, reject) => {
          const stop = clock.after(ms, resolve);
          signal.addEventListener('abort', () => {
            stop();
            reject(signal.reason);
          });
        }),
      fail: (code, retryable = false) => {
        throw new TurnFailed(code, retryable);
      },
    };
  }
}
