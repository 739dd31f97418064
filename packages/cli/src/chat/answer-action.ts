/** Questions about an open action, and the answer that they make: y n e l. */
import type { AnswerBody } from '@turnkeeper/core/protocol/wire/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';

/** Asks for one line; undefined when there is nobody left to ask. */
export type Ask = (question: string) => Promise<string | undefined>;
/** `later`: nothing is decided, the turn goes on waiting. */
export type ActionAnswer = AnswerBody | 'later';

const letterOf = (text: string | undefined): string => (text ?? 'l').trim().toLowerCase().charAt(0);

const choose = async (ask: Ask, question: string, letters: string): Promise<string> => {
  for (;;) {
    const letter = letterOf(await ask(question));
    if (letter !== '' && letters.includes(letter)) return letter;
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

export const answerAction = async (action: ActionBody, ask: Ask): Promise<ActionAnswer> => {
  const base = { request_id: action.request_id, expected_version: action.version };
  switch (action.kind) {
    case 'confirmation': {
      const letter = await choose(ask, '[y]es  [n]o  [e]dit arguments  [l]ater: ', 'ynel');
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
      const letter = await choose(ask, '[y] give the result  [n] report an error  [e] result as JSON  [l]ater: ', 'ynel');
      if (letter === 'l') return 'later';
      if (letter === 'e') {
        const data = await askJson(ask, 'result as JSON (empty = later): ');
        return data === undefined ? 'later' : { ...base, payload: { output: [{ type: 'data', data: data as never }], is_error: false } };
      }
      const text = await ask(letter === 'y' ? 'result: ' : 'error: ');
      return text === undefined ? 'later' : { ...base, payload: { output: text, is_error: letter === 'n' } };
    }
    case 'reconciliation': {
      const letter = await choose(ask, 'did it have its effect? [y]es  [n]o  [l]ater: ', 'ynl');
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
