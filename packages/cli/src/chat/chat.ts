/**
 * A chat over one session: what is typed becomes turns, what happens is printed, what waits is asked about.
 * The session is made with the first message, so that looking around leaves nothing behind. Leaving cancels nothing.
 */
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { FeedMessage } from '@turnkeeper/client/stream/session-feed';
import type { SessionWatch } from '@turnkeeper/client/stream/session-watches';
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { actionText, warningText } from '../output/describe.ts';
import { oneLine } from '../output/printable.ts';
import { createTranscript, type Transcript } from '../output/transcript.ts';
import { answerAction, type Dialogue } from './answer-action.ts';
import { choiceOf } from './answer-words.ts';
import { type ChatCommand, helpText, readChatLine } from './chat-commands.ts';
import type { ChatStart } from './conversation.ts';
import { LineInput } from './line-input.ts';
import { Steering } from './steering.ts';

export type ChatEnd = { readonly code: ExitCode; readonly sessionId: string | undefined };

/** Who pauses this long in the middle of a line sees a question that comes up; who types on does not. */
const typingPauseMs = 600;

export class Chat {
  readonly #context: CommandContext;
  readonly #start: ChatStart;
  readonly #input: LineInput;
  readonly #transcript: Transcript;
  readonly #ended = Promise.withResolvers<ChatEnd>();
  /** Answered or put off: not asked about again. */
  readonly #asked = new Set<string>();
  #sessionId: string | undefined;
  #watch: SessionWatch | undefined;
  #view: SessionView | undefined;
  /** Typed lines that stand on the screen already, right above their answers. */
  readonly #echoed = new Set<string>();
  #talking = false;
  /** The action that is being asked about, until its answer is known. */
  #question: { readonly id: string; readonly closed: AbortController } | undefined;
  #pause: NodeJS.Timeout | undefined;
  #inputEnded = false;
  #unsent = 0;
  readonly #steering: Steering;
  /** The turn submitted last: until the view shows it, the view says nothing about being done. */
  #newestTurn: string | undefined;
  /** Lines become turns in the order in which they were typed: one submission after the other. */
  #sending: Promise<void> = Promise.resolve();

  constructor(context: CommandContext, start: ChatStart) {
    this.#context = context;
    this.#start = start;
    this.#sessionId = 'sessionId' in start ? start.sessionId : undefined;
    this.#input = new LineInput(context.io, {
      prompt: context.style.bold('› '),
      onLine: (text) => this.#onLine(text),
      onEscape: () => this.#stop(),
      onInterrupt: this.#detach,
      onFree: () => this.#update(),
      onEnd: () => this.#onInputEnd(),
    });
    this.#steering = new Steering(context.client, (text) => this.#remark(text));
    this.#transcript = createTranscript({
      write: (text) => this.#input.write(text),
      style: context.style,
      lastTurns: 10,
      showActions: !this.#input.interactive,
      showQuestion: (text) => !this.#echoed.delete(text.trim()),
      showQueued: !this.#input.interactive,
    });
  }

  /** Resolves when the user has left, or a piped chat has been answered. Rejects when the server refuses the session. */
  async run(): Promise<ChatEnd> {
    const { interrupted } = this.#context.io;
    interrupted.addEventListener('abort', this.#detach);
    try {
      if (this.#sessionId === undefined) this.#input.setBusy(false);
      else this.#follow(this.#sessionId);
      return await this.#ended.promise;
    } finally {
      interrupted.removeEventListener('abort', this.#detach);
      clearTimeout(this.#pause);
      this.#watch?.close();
      this.#input.close();
    }
  }

  readonly #detach = (): void => this.#finish(exitCodes.detached);

  #finish(code: ExitCode): void {
    this.#ended.resolve({ code, sessionId: this.#sessionId });
  }

  #say(text: string): void {
    this.#transcript.endLine();
    this.#input.write(`${this.#context.style.dim(text)}\n`);
  }

  #onLine(text: string): void {
    const line = readChatLine(text);
    switch (line.kind) {
      case 'empty':
        return;
      case 'command':
        this.#run(line.command);
        return;
      case 'unknown':
        if (this.#input.interactive) this.#say(`  ${line.hint}`);
        else this.#context.note(line.hint);
        return;
      case 'steer':
        void this.#steering.steer(this.#sessionId, this.#view, line.text);
        return;
      case 'message':
        this.#submit(line.text);
    }
  }

  #remark(text: string): void {
    if (this.#input.interactive) this.#input.notice(`${this.#context.style.dim(`  ${text}`)}\n`);
    else this.#context.note(text);
  }

  #run(command: ChatCommand): void {
    switch (command) {
      case '/help':
        this.#say(helpText);
        return;
      case '/quit':
        this.#finish(exitCodes.completed);
        return;
      case '/stop':
        this.#stop();
        return;
      case '/answer':
        this.#asked.clear();
    }
  }

  #submit(message: string): void {
    if (this.#input.interactive) {
      // What is queued is shown again when its turn begins.
      if (this.#isBehind() || (this.#view && liveTurn(this.#view))) this.#input.notice(`${this.#context.style.dim(`  queued: ${oneLine(message)}`)}\n`);
      else this.#echoed.add(message);
    }
    this.#unsent += 1;
    this.#input.setBusy(true);
    this.#sending = this.#sending.then(() => this.#send(message));
  }

  async #send(message: string): Promise<void> {
    const { sessions, turns } = this.#context.client;
    const idempotencyKey = freshKey('chat');
    try {
      if (this.#sessionId !== undefined) this.#newestTurn = (await turns.submit(this.#sessionId, { message }, { idempotencyKey })).id;
      else if ('agent' in this.#start) {
        const created = await sessions.create({ ...this.#start, initialMessage: { message } }, { idempotencyKey });
        this.#sessionId = created.id;
        this.#newestTurn = created.turnId;
        this.#follow(created.id);
      }
    } catch (error) {
      if (!this.#input.interactive) this.#ended.reject(error);
      else this.#say(`not sent (${(error as { readonly code?: string }).code ?? 'error'}): ${(error as Error).message}`);
    } finally {
      this.#unsent -= 1;
      this.#update();
    }
  }

  #stop(): void {
    const turn = this.#view && liveTurn(this.#view);
    if (!turn || this.#sessionId === undefined) return;
    this.#say('stopping …');
    this.#context.client.turns
      .cancel(this.#sessionId, turn.turn_id, { idempotencyKey: freshKey('cancel') })
      .catch((error: unknown) => this.#say((error as Error).message));
  }

  #follow(sessionId: string): void {
    this.#watch = this.#context.client.watchSession(sessionId);
    this.#watch.onMessage((message) => this.#onMessage(message));
  }

  #onMessage(message: FeedMessage): void {
    if (message.type !== 'connection') {
      this.#view = message.view;
      this.#takeBack(message.view);
      this.#steering.tick(message.view);
      this.#transcript.update(message.view);
      this.#update();
    } else if (message.connection.kind === 'reconnecting' && message.connection.attempt === 1) this.#say('reconnecting … (the turn goes on)');
    else if (message.connection.kind === 'closed' && message.connection.error) this.#ended.reject(message.connection.error);
  }

  #isBehind(): boolean {
    return this.#unsent > 0 || (this.#newestTurn !== undefined && !this.#view?.turns.some(({ data }) => data.turn_id === this.#newestTurn));
  }

  /** Brings the terminal in line with the view: prompt or none, the next question, or the end of a piped chat. */
  #update(): void {
    const view = this.#view;
    if (this.#talking) return;
    const live = view && liveTurn(view);
    const waits = live?.status === 'requires_action' || live?.status === 'interrupted';
    if (!this.#input.interactive) {
      if (this.#inputEnded && !this.#isBehind()) this.#endOfPipe(live && waits ? live.status : undefined);
      return;
    }
    const open = view?.required_actions.map(({ data }) => data).find((action) => !this.#asked.has(action.request_id));
    if (open && this.#canAsk()) void this.#ask(open);
    else this.#input.setBusy(this.#isBehind() || (live !== undefined && !waits));
  }

  #endOfPipe(waiting: 'requires_action' | 'interrupted' | undefined): void {
    if (this.#sessionId === undefined) this.#finish(exitCodes.completed);
    else if (waiting) this.#finish(exitCodeOfStatus(waiting));
    else if (this.#view?.turns.every(({ data }) => isSettled(data.status))) {
      this.#transcript.endLine();
      this.#finish(exitCodeOfStatus(this.#view.turns.at(-1)?.data.status ?? 'completed'));
    }
  }

  #onInputEnd(): void {
    this.#inputEnded = true;
    if (this.#input.interactive) this.#finish(exitCodes.completed);
    else this.#update();
  }

  /** What is typed without a pause was begun without a look at the question, so it is waited for. */
  #canAsk(): boolean {
    const wait = this.#input.isComposing() ? typingPauseMs - this.#input.quietMs() : 0;
    clearTimeout(this.#pause);
    if (wait > 0) this.#pause = setTimeout(() => this.#update(), wait);
    return wait <= 0;
  }

  /** The action was answered or closed elsewhere: what is typed from now on is a message. */
  #takeBack(view: SessionView): void {
    const question = this.#question;
    if (!question || view.required_actions.some(({ data }) => data.request_id === question.id)) return;
    this.#question = undefined;
    const typed = this.#input.takeLine();
    if (choiceOf(typed) === undefined) this.#input.keep(typed);
    question.closed.abort();
    this.#say('  no longer asked: answered or closed elsewhere');
  }

  #dialogue(signal: AbortSignal): Dialogue {
    return {
      ask: (question, how) => this.#input.ask(question, { signal, ...how }),
      show: (line) => this.#input.write(`${line}\n`),
      refuse: (text, wanted) => {
        this.#input.keep(text);
        this.#say(`  please answer ${wanted}; what you typed is kept for afterwards: ${oneLine(text, 60)}`);
      },
    };
  }

  async #ask(action: ActionBody): Promise<void> {
    const closed = new AbortController();
    this.#talking = true;
    this.#question = { id: action.request_id, closed };
    this.#asked.add(action.request_id);
    this.#input.setAside();
    this.#transcript.endLine();
    this.#input.write(`${this.#context.style[warningText(action) === '' ? 'yellow' : 'red'](`? ${actionText(action)}`)}\n`);
    try {
      const answer = await answerAction(action, this.#dialogue(closed.signal));
      this.#question = undefined;
      const put = answer === 'later' || this.#sessionId === undefined;
      if (put && !closed.signal.aborted) this.#say('put off; /answer asks again');
      // Only now: a draft in the line holds back what is said.
      this.#input.restoreDraft();
      if (!closed.signal.aborted && answer !== 'later' && this.#sessionId !== undefined)
        await answer(this.#context.client.actions, { ...action, session_id: this.#sessionId });
    } catch (error) {
      this.#say(`not answered: ${(error as Error).message}`);
    } finally {
      this.#talking = false;
      this.#update();
    }
  }
}
