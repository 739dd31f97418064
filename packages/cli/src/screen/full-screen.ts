/**
 * Chat and tail on a full screen: keys go in, the model changes, frames come out.
 *
 * Owns: which key does what. Does not own: how it looks (frame.ts), what the server is told (chat/conversation.ts).
 *
 * KB1 Leaving, by Ctrl+C or otherwise, cancels nothing.
 * KB2 What comes up while something is being typed never takes the keys away: a card waits until the message is sent, or Tab.
 */
import type { FeedMessage } from '@turnkeeper/client/stream/session-feed';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import { answerAction } from '../chat/answer-action.ts';
import { type ChatCommand, readChatLine } from '../chat/chat-commands.ts';
import { type ChatStart, Conversation } from '../chat/conversation.ts';
import type { CommandContext } from '../command-context.ts';
import { createConnectionRemarks } from '../connection-remarks.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable } from '../output/printable.ts';
import { editInProgram, editorOf } from './edit-in-program.ts';
import { edited, emptyEditor, insert, sent, withText } from './editor.ts';
import { frameOf } from './frame.ts';
import type { Key } from './keys.ts';
import type { Frame, ScreenModel, Size } from './model.ts';
import { QuestionCard } from './question-card.ts';
import { scrollOf } from './scroll-of.ts';
import { Terminal } from './terminal.ts';
import { createTimelineLines } from './timeline-lines.ts';

export type ScreenStart = {
  readonly mode: 'chat' | 'tail';
  readonly session: ChatStart;
  readonly title: string;
  /** What it is a session of. */
  readonly target: string;
};
export type ScreenEnd = { readonly code: ExitCode; readonly sessionId: string | undefined };

/** Who pauses this long in the middle of a line sees a question that comes up; who types on does not. */
const typingPauseMs = 600;

type Own = Pick<ScreenModel, 'title' | 'focus' | 'editor' | 'notice' | 'help' | 'mouse' | 'scroll' | 'connection'>;

export class FullScreen {
  readonly #context: CommandContext;
  readonly #start: ScreenStart;
  readonly #conversation: Conversation;
  readonly #terminal: Terminal;
  readonly #timeline = createTimelineLines();
  readonly #ended = Promise.withResolvers<ScreenEnd>();
  /** That something was skipped stays on the screen beside where it went on. */
  readonly #remark = createConnectionRemarks((text) => this.#say(this.#own.notice.startsWith('gap') ? `${this.#own.notice}; ${text}` : text));
  /** Answered or put off: not asked about again. */
  readonly #asked = new Set<string>();
  #own: Own;
  #question: QuestionCard | undefined;
  #length = 0;
  #page = 1;
  #lastKeyAt = Number.NEGATIVE_INFINITY;

  constructor(context: CommandContext, start: ScreenStart) {
    this.#context = context;
    this.#start = start;
    this.#own = { title: start.title, focus: 'message', editor: emptyEditor(), notice: '', help: false, mouse: true, scroll: 0, connection: undefined };
    this.#conversation = new Conversation(context.client, start.session, {
      onMessage: (message) => this.#onMessage(message),
      onChange: () => this.#changed(),
      onRefused: (text) => this.#say(text),
    });
    this.#terminal = new Terminal(context.io, { style: context.style, frame: (size) => this.#frame(size), onKey: (key) => this.#onKey(key) });
  }

  /** Resolves when the user has left. Rejects when the server refuses the session. */
  async run(): Promise<ScreenEnd> {
    const { interrupted } = this.#context.io;
    interrupted.addEventListener('abort', this.#detach);
    this.#terminal.open();
    try {
      this.#conversation.open();
      return await this.#ended.promise;
    } finally {
      interrupted.removeEventListener('abort', this.#detach);
      this.#terminal.close();
      this.#question?.close();
      this.#conversation.close();
    }
  }

  readonly #detach = (): void => this.#finish(exitCodes.detached);

  #finish(code: ExitCode): void {
    this.#ended.resolve({ code, sessionId: this.#conversation.sessionId });
  }

  #changed(): void {
    this.#terminal.changed();
  }

  #set(change: Partial<Own>): void {
    this.#own = { ...this.#own, ...change };
    this.#changed();
  }

  #say(text: string): void {
    this.#set({ notice: text });
  }

  #frame(size: Size): Frame {
    const { sessionId, view, outbox, stopping } = this.#conversation;
    const { mode, target } = this.#start;
    const model: ScreenModel = { ...this.#own, mode, target, sessionId, view, outbox, stopping, card: this.#question?.card };
    const frame = frameOf(model, size, this.#timeline);
    // Whoever has scrolled up stays where they are while more is added below.
    const grown = frame.scroll > 0 && !this.#own.help ? frame.length - this.#length : 0;
    this.#length = frame.length;
    this.#page = frame.page;
    this.#own = { ...this.#own, scroll: frame.scroll };
    if (grown === 0 || this.#own.help) return frame;
    this.#own = { ...this.#own, scroll: Math.max(frame.scroll + grown, 0) };
    return frameOf({ ...model, scroll: this.#own.scroll }, size, this.#timeline);
  }

  #onMessage(message: FeedMessage): void {
    this.#remark(message);
    if (message.type === 'connection') {
      this.#set({ connection: message.connection });
      if (message.connection.kind === 'closed' && message.connection.error) this.#ended.reject(message.connection.error);
      return;
    }
    if (message.type === 'snapshot') this.#onSnapshot(message.view);
    this.#takeBack(message.view);
    this.#askNext();
    this.#changed();
  }

  #onSnapshot(view: SessionView): void {
    const title = view.session['title'];
    if (typeof title === 'string' && title !== '') this.#set({ title });
    if (this.#own.editor.history.length > 0) return;
    const said = view.items.filter(({ data }) => data.item.role === 'user').map(({ data }) => printable(textOf(data.item.content)));
    this.#set({ editor: { ...this.#own.editor, history: said, place: said.length } });
  }

  #takeBack(view: SessionView): void {
    const question = this.#question;
    if (!question || view.required_actions.some(({ data }) => data.request_id === question.action.request_id)) return;
    this.#question = undefined;
    question.close();
    this.#set({ focus: 'message' });
  }

  #askNext(): void {
    if (this.#question || this.#start.mode === 'tail') return;
    const open = this.#conversation.view?.required_actions.map(({ data }) => data).find((action) => !this.#asked.has(action.request_id));
    if (open) void this.#ask(open);
  }

  async #ask(action: ActionBody): Promise<void> {
    const program = editorOf(this.#context.io);
    const question = new QuestionCard(action, {
      onChange: () => this.#changed(),
      edit: program === undefined ? undefined : (text) => this.#terminal.lend(() => editInProgram(program, text)),
    });
    this.#question = question;
    this.#asked.add(action.request_id);
    this.#turnTo(question);
    const sessionId = this.#conversation.sessionId ?? '';
    try {
      const answer = await answerAction(action, question.dialogue);
      // Taken back meanwhile: answered or closed elsewhere.
      if (this.#question !== question) this.#say('no longer asked: answered or closed elsewhere');
      else if (answer === 'later') this.#say('put off; /answer asks again');
      else await answer(this.#context.client.actions, { ...action, session_id: sessionId });
    } catch (error) {
      this.#say(`not answered: ${(error as Error).message}`);
    } finally {
      if (this.#question === question) this.#question = undefined;
      if (!this.#question) this.#set({ focus: 'message' });
      this.#askNext();
    }
  }

  /** KB2: at once, after a pause in an empty line, or by Tab. */
  #turnTo(question: QuestionCard): void {
    if (this.#question !== question || this.#own.focus === 'card') return;
    const wait = typingPauseMs - (performance.now() - this.#lastKeyAt);
    if (this.#own.editor.text !== '') this.#say('a question waits: Tab answers it');
    else if (wait <= 0) this.#set({ focus: 'card' });
    else setTimeout(() => this.#turnTo(question), wait);
  }

  #onKey(key: Key): void {
    this.#lastKeyAt = performance.now();
    if (this.#own.notice !== '') this.#set({ notice: '' });
    if (key.kind === 'ctrl' && key.letter === 'c') this.#detach();
    else if (this.#own.help) this.#set({ help: false });
    else if (!this.#onScreenKey(key) && !this.#onCardKey(key)) {
      if (this.#start.mode === 'chat') this.#onMessageKey(key);
      else if (key.kind === 'text') for (const letter of key.text) if (letter === 'q' || letter === '?') this.#run(letter === 'q' ? '/quit' : '/help');
    }
  }

  /** What holds wherever the keys go. */
  #onScreenKey(key: Key): boolean {
    if (key.kind === 'ctrl') {
      if (key.letter === 'l') this.#terminal.redraw();
      else if (key.letter === 'z') this.#terminal.suspend();
      else return false;
      return true;
    }
    if (key.kind !== 'named') return false;
    if (key.name === 'help') this.#set({ help: true });
    else if (key.name === 'mouse') this.#turnMouse(!this.#own.mouse);
    else {
      const empty = this.#own.editor.text === '' && this.#own.focus === 'message';
      const rows = scrollOf(key.name, { page: this.#page, length: this.#length, empty, tails: this.#start.mode === 'tail' });
      if (rows === undefined) return false;
      this.#scroll(rows);
    }
    return true;
  }

  #turnMouse(on: boolean): void {
    this.#terminal.setMouse(on);
    this.#set({ mouse: on, notice: on ? 'the mouse scrolls; F2: it selects text' : 'the mouse selects text; F2: it scrolls' });
  }

  #scroll(rows: number): void {
    this.#set({ scroll: Math.min(Math.max(this.#own.scroll + rows, 0), Math.max(this.#length - this.#page, 0)) });
  }

  #onCardKey(key: Key): boolean {
    const question = this.#question;
    if (!question) return false;
    if (key.kind === 'named' && key.name === 'tab') {
      this.#set({ focus: this.#own.focus === 'card' ? 'message' : 'card' });
      return true;
    }
    if (this.#own.focus !== 'card') return false;
    const use = question.onKey(key);
    if (use.kind === 'message') this.#set({ focus: 'message', editor: insert(this.#own.editor, use.text) });
    return use.kind !== 'not';
  }

  #onMessageKey(key: Key): void {
    const { editor } = this.#own;
    if (key.kind === 'named' && key.name === 'escape') this.#conversation.stop();
    else if (key.kind === 'named' && key.name === 'enter') this.#enter();
    else if (key.kind === 'text' && key.text === '?' && editor.text === '') this.#set({ help: true });
    else if (key.kind === 'ctrl' && key.letter === 'd') {
      if (editor.text === '') this.#finish(exitCodes.completed);
    } else {
      const next = edited(editor, key);
      if (next) this.#set({ editor: next });
    }
  }

  #enter(): void {
    const { editor } = this.#own;
    if (editor.text.endsWith('\\')) {
      this.#set({ editor: insert(withText(editor, editor.text.slice(0, -1)), '\n') });
      return;
    }
    const { text } = editor;
    const line = readChatLine(text);
    if (line.kind === 'unknown') {
      this.#say(line.hint);
      return;
    }
    this.#set({ editor: sent(editor), scroll: 0, focus: this.#question ? 'card' : 'message' });
    if (this.#question?.answersLine(text)) return;
    switch (line.kind) {
      case 'empty':
        return;
      case 'command':
        this.#run(line.command);
        return;
      case 'steer':
        this.#conversation.steer(line.text);
        return;
      case 'message':
        this.#conversation.submit(line.text);
    }
  }

  #run(command: ChatCommand): void {
    switch (command) {
      case '/help':
        this.#set({ help: true });
        return;
      case '/quit':
        this.#finish(exitCodes.completed);
        return;
      case '/stop':
        this.#conversation.stop();
        return;
      case '/answer':
        this.#asked.clear();
        this.#askNext();
    }
  }
}
