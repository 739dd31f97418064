/** Questions about an open action, and the answer that they make: yes, no, always, edit, later. */
import type { ActionCalls, ActionRef } from '@turnkeeper/client/calls/actions';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { askQuestions } from './answer-questions.ts';
import { type Choice, choiceOf } from './answer-words.ts';
import { fillInForm, formChoices, formLines } from './fill-in-form.ts';

/** `hidden`: what is typed is a secret, and is not shown. */
export type AskHow = { readonly hidden?: boolean };

export type Dialogue = {
  /** Asks for one line; undefined when there is nobody left to ask. */
  readonly ask: (question: string, how?: AskHow) => Promise<string | undefined>;
  /** A line that stands above a question. */
  readonly show: (line: string) => void;
  /** What was typed is no answer: it is kept for its writer, who is told what is wanted. */
  readonly refuse: (text: string, wanted: string) => void;
  /** Asks for one of some letters, where a single key can give it. */
  readonly choose?: (question: string, choices: readonly Choice[]) => Promise<Choice>;
  /** Lets a text be changed, where there is room for it. */
  readonly edit?: (question: string, text: string) => Promise<string | undefined>;
};
/** Gives the answer. `later`: nothing is decided, the turn goes on waiting. */
export type ActionAnswer = ((actions: ActionCalls, action: ActionRef) => Promise<CommandReceipt>) | 'later';

const choose = async (dialogue: Dialogue, question: string, choices: readonly Choice[]): Promise<Choice> => {
  if (dialogue.choose) return dialogue.choose(question, choices);
  const { ask, refuse } = dialogue;
  for (;;) {
    const text = await ask(question);
    if (text === undefined) return 'l';
    const choice = choiceOf(text);
    if (choice && choices.includes(choice)) return choice;
    if (text.trim() !== '') refuse(text, `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
  }
};

/** A JSON value, asked for until it is one; undefined = changed their mind. `initial`: what is changed, where it can be. */
const askJson = async ({ ask, edit }: Dialogue, question: string, initial?: unknown): Promise<unknown> => {
  let hint = '';
  let draft = initial === undefined ? '' : JSON.stringify(initial, null, 2);
  for (;;) {
    const text = (await (edit ? edit(`${hint}${question}`, draft) : ask(`${hint}${question}`)))?.trim();
    draft = text ?? '';
    if (!text) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      hint = 'that is not JSON; ';
    }
  }
};

const isObject = (value: unknown): value is Record<string, never> => value !== null && typeof value === 'object' && !Array.isArray(value);

const confirmation = async (action: ActionBody, dialogue: Dialogue): Promise<ActionAnswer> => {
  const { ask } = dialogue;
  const always = action.can_remember === true;
  const question = `[y]es  [n]o  ${always ? '[a]lways in this session  ' : ''}[e]dit arguments  [l]ater: `;
  const letter = await choose(dialogue, question, ['y', 'n', ...(always ? (['a'] as const) : []), 'e', 'l']);
  switch (letter) {
    case 'y':
      return (actions, ref) => actions.confirm(ref);
    case 'a':
      return (actions, ref) => actions.confirm(ref, { remember: true });
    case 'n': {
      const reason = (await ask('reason (optional): '))?.trim();
      return reason === undefined ? 'later' : (actions, ref) => actions.deny(ref, reason);
    }
    case 'e': {
      const input = await askJson(dialogue, 'arguments as JSON (empty = later): ', action.tool_call?.input);
      return isObject(input) ? (actions, ref) => actions.confirm(ref, { input }) : 'later';
    }
    case 'l':
      return 'later';
  }
};

const execution = async (dialogue: Dialogue): Promise<ActionAnswer> => {
  const { ask } = dialogue;
  const letter = await choose(dialogue, '[y] give the result  [n] report an error  [e] result as JSON  [l]ater: ', ['y', 'n', 'e', 'l']);
  if (letter === 'l') return 'later';
  if (letter === 'e') {
    const data = await askJson(dialogue, 'result as JSON (empty = later): ');
    return data === undefined ? 'later' : (actions, ref) => actions.complete(ref, [{ type: 'data', data: data as never }]);
  }
  const text = await ask(letter === 'y' ? 'result: ' : 'error: ');
  if (text === undefined) return 'later';
  return (actions, ref) => (letter === 'y' ? actions.complete(ref, text) : actions.fail(ref, text));
};

const approval = async (dialogue: Dialogue): Promise<ActionAnswer> => {
  const letter = await choose(dialogue, '[y] approve  [n] reject  [l]ater: ', ['y', 'n', 'l']);
  if (letter === 'l') return 'later';
  const reason = (await dialogue.ask('reason (optional): '))?.trim();
  if (reason === undefined) return 'later';
  return (actions, ref) => (letter === 'y' ? actions.approve(ref, reason) : actions.reject(ref, reason));
};

const form = async ({ form: asked }: ActionBody, dialogue: Dialogue): Promise<ActionAnswer> => {
  if (!asked) return 'later';
  for (const line of formLines(asked)) dialogue.show(line);
  const letter = await choose(dialogue, formChoices(asked), ['y', 'n', 'l']);
  if (letter === 'l') return 'later';
  if (letter === 'n') return (actions, ref) => actions.decline(ref);
  const values = await fillInForm(dialogue.ask, asked, dialogue.show);
  return values ? (actions, ref) => actions.fillIn(ref, values) : 'later';
};

const signal = async (dialogue: Dialogue): Promise<ActionAnswer> => {
  const payload = await askJson(dialogue, 'what is sent with it, as JSON (empty = later): ');
  return payload === undefined ? 'later' : (actions, ref) => actions.signal(ref, payload as Json);
};

const reconciliation = async (dialogue: Dialogue): Promise<ActionAnswer> => {
  const { ask } = dialogue;
  const letter = await choose(dialogue, 'did it have its effect? [y]es  [n]o  [l]ater: ', ['y', 'n', 'l']);
  if (letter === 'l') return 'later';
  const output = (await ask('its result: ')) ?? '';
  const reason = (await ask('how do you know: '))?.trim();
  if (!reason) return 'later';
  return (actions, ref) => actions.reconcile(ref, { outcome: letter === 'y' ? 'succeeded' : 'failed', output, reason });
};

export const answerAction = async (action: ActionBody, dialogue: Dialogue): Promise<ActionAnswer> => {
  switch (action.kind) {
    case 'confirmation':
      return confirmation(action, dialogue);
    case 'external_execution':
      return execution(dialogue);
    case 'reconciliation':
      return reconciliation(dialogue);
    case 'question': {
      const answers = await askQuestions(dialogue.ask, action.questions ?? [], dialogue.show);
      return answers && Object.keys(answers).length > 0 ? (actions, ref) => actions.answer(ref, answers) : 'later';
    }
    case 'approval':
      return approval(dialogue);
    case 'form':
      return form(action, dialogue);
    case 'signal':
      return signal(dialogue);
  }
};
