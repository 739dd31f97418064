/**
 * A question as a card: the dialogue of `answerAction`, given by keys.
 *
 * QC1 A key answers only where nothing else can be meant: not in the moment in which the card comes up, not when it is pasted, and not
 *     when more is typed right behind it. What was no answer is text of the message.
 */
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { Dialogue } from '../chat/answer-action.ts';
import { choiceOf } from '../chat/answer-words.ts';
import { actionText, warningText } from '../output/describe.ts';
import { edited, emptyEditor, insert, withText } from './editor.ts';
import type { Key } from './keys.ts';
import type { Card, CardStep } from './model.ts';

/** Who types on within this time writes a message. */
const heldMs = 250;
/** Nobody reads and answers faster. */
const startleMs = 400;

/** What became of a key: taken, none of the card's, or text for the message. */
export type KeyUse = { readonly kind: 'taken' } | { readonly kind: 'not' } | { readonly kind: 'message'; readonly text: string };
const taken: KeyUse = { kind: 'taken' };
const notTaken: KeyUse = { kind: 'not' };

export type QuestionCardOptions = {
  readonly onChange: () => void;
  /** Changes a text in a program of its own; undefined where there is none. */
  readonly edit: ((text: string) => Promise<string | undefined>) | undefined;
};

const argumentsOf = ({ tool_call, kind, prompt }: ActionBody): readonly string[] => {
  const input = tool_call?.input ?? {};
  const shown = Object.keys(input).length === 0 ? [] : JSON.stringify(input, null, 2).split('\n');
  return kind === 'confirmation' && prompt !== undefined ? [prompt, ...shown] : shown;
};

export class QuestionCard {
  readonly action: ActionBody;
  readonly #options: QuestionCardOptions;
  readonly #shownAt = performance.now();
  #body: readonly string[];
  #step: CardStep | undefined;
  #give: ((text: string | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(action: ActionBody, options: QuestionCardOptions) {
    this.action = action;
    this.#options = options;
    this.#body = argumentsOf(action);
  }

  get card(): Card {
    return { requestId: this.action.request_id, title: actionText(this.action), warns: warningText(this.action) !== '', body: this.#body, step: this.#step };
  }

  readonly dialogue: Dialogue = {
    ask: (question, how) => this.#ask({ kind: 'text', question, editor: emptyEditor(), ...(how?.hidden ? { hidden: true } : {}) }),
    choose: async (question, choices) => choiceOf((await this.#ask({ kind: 'choice', question, choices })) ?? 'l') ?? 'l',
    edit: async (question, text) =>
      this.#options.edit ? this.#options.edit(text) : this.#ask({ kind: 'text', question, editor: withText(emptyEditor(), text) }),
    show: (line) => {
      this.#body = [...this.#body, line];
      this.#options.onChange();
    },
    refuse: () => {},
  };

  /** Answered or closed elsewhere: nobody is asked any more. */
  close(): void {
    this.#settle(undefined);
  }

  /** A whole line was sent while the card waits: an answer word answers, as it does in a plain terminal. */
  answersLine(text: string): boolean {
    const choice = choiceOf(text);
    if (this.#step?.kind !== 'choice' || choice === undefined || !this.#step.choices.includes(choice)) return false;
    this.#settle(choice);
    return true;
  }

  onKey(key: Key): KeyUse {
    switch (this.#step?.kind) {
      case undefined:
        return notTaken;
      case 'choice':
        return this.#onChoice(this.#step, key);
      case 'text':
        return this.#onText(this.#step, key);
    }
  }

  #ask(step: CardStep): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#step = step;
      this.#give = resolve;
      this.#options.onChange();
    });
  }

  #settle(text: string | undefined): void {
    clearTimeout(this.#timer);
    const give = this.#give;
    this.#step = undefined;
    this.#give = undefined;
    give?.(text);
    this.#options.onChange();
  }

  #put(step: CardStep): KeyUse {
    this.#step = step;
    this.#options.onChange();
    return taken;
  }

  #onChoice(step: Extract<CardStep, { kind: 'choice' }>, key: Key): KeyUse {
    const { held, ...free } = step;
    if (held !== undefined && key.kind === 'named' && key.name === 'enter') {
      this.#settle(held);
      return taken;
    }
    if (key.kind !== 'text' && key.kind !== 'paste') return notTaken;
    clearTimeout(this.#timer);
    if (held !== undefined) {
      this.#put(free);
      return { kind: 'message', text: held + key.text };
    }
    const choice = key.kind === 'text' && key.text.length === 1 ? choiceOf(key.text) : undefined;
    if (choice === undefined || !step.choices.includes(choice) || performance.now() - this.#shownAt < startleMs) return { kind: 'message', text: key.text };
    this.#timer = setTimeout(() => this.#settle(choice), heldMs);
    return this.#put({ ...step, held: choice });
  }

  #onText(step: Extract<CardStep, { kind: 'text' }>, key: Key): KeyUse {
    if (key.kind === 'named' && key.name === 'enter') {
      const { editor } = step;
      if (editor.text.endsWith('\\')) return this.#put({ ...step, editor: insert(withText(editor, editor.text.slice(0, -1)), '\n') });
      this.#settle(editor.text);
      return taken;
    }
    if (key.kind === 'named' && key.name === 'escape') {
      this.#settle(undefined);
      return taken;
    }
    const next = edited(step.editor, key);
    return next ? this.#put({ ...step, editor: next }) : notTaken;
  }
}
