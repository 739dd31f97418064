/** Questions about an open action, and the answer that they make: yes, no, edit, later. */
import type { AnswerBody } from '@turnkeeper/core/protocol/wire/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { type Choice, choiceOf } from './answer-words.ts';

export type Dialogue = {
  /** Asks for one line; undefined when there is nobody left to ask. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** What was typed is no answer: it is kept for its writer, who is told what is wanted. */
  readonly refuse: (text: string, wanted: string) => void;
};
type Ask = Dialogue['ask'];
/** `later`: nothing is decided, the turn goes on waiting. */
export type ActionAnswer = AnswerBody | 'later';

const choose = async ({ ask, refuse }: Dialogue, question: string, choices: readonly Choice[]): Promise<Choice> => {
  for (;;) {
    const text = await ask(question);
    if (text === undefined) return 'l';
    const choice = choiceOf(text);
    if (choice && choices.includes(choice)) return choice;
    if (text.trim() !== '') refuse(text, `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
  }
};

/** A JSON value, asked for until it is one; undefined = changed their mind. */
const askJson = async (ask: Ask, question: string): Promise<unknown> => {
  let hint = '';
  for (;;) {
    const text = (await ask(`${hint}${question}`))?.trim();
    if (!text) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      hint = 'that is not JSON; ';
    }
  }
};

const isObject = (value: unknown): value is Record<string, never> => value !== null && typeof value === 'object' && !Array.isArray(value);

export const answerAction = async (action: ActionBody, dialogue: Dialogue): Promise<ActionAnswer> => {
  const { ask } = dialogue;
  const base = { request_id: action.request_id, expected_version: action.version };
  switch (action.kind) {
    case 'confirmation': {
      const letter = await choose(dialogue, '[y]es  [n]o  [e]dit arguments  [l]ater: ', ['y', 'n', 'e', 'l']);
      if (letter === 'y') return { ...base, payload: { allow: true } };
      if (letter === 'n') {
        const reason = (await ask('reason (optional): '))?.trim();
        return { ...base, payload: { allow: false, ...(reason ? { reason } : {}) } };
      }
      if (letter === 'l') return 'later';
      const input = await askJson(ask, 'arguments as JSON (empty = later): ');
      return isObject(input) ? { ...base, payload: { allow: true, input } } : 'later';
    }
    case 'external_execution': {
      const letter = await choose(dialogue, '[y] give the result  [n] report an error  [e] result as JSON  [l]ater: ', ['y', 'n', 'e', 'l']);
      if (letter === 'l') return 'later';
      if (letter === 'e') {
        const data = await askJson(ask, 'result as JSON (empty = later): ');
        return data === undefined ? 'later' : { ...base, payload: { output: [{ type: 'data', data: data as never }], is_error: false } };
      }
      const text = await ask(letter === 'y' ? 'result: ' : 'error: ');
      return text === undefined ? 'later' : { ...base, payload: { output: text, is_error: letter === 'n' } };
    }
    case 'reconciliation': {
      const letter = await choose(dialogue, 'did it have its effect? [y]es  [n]o  [l]ater: ', ['y', 'n', 'l']);
      if (letter === 'l') return 'later';
      const output = (await ask('its result: ')) ?? '';
      const reason = (await ask('how do you know: '))?.trim();
      return reason ? { ...base, payload: { outcome: letter === 'y' ? 'succeeded' : 'failed', output, reason } } : 'later';
    }
    case 'approval':
    case 'question':
    case 'form':
    case 'signal':
      // Kinds that this version has no dialogue for: they are answered in the console or over the API.
      return 'later';
  }
};
