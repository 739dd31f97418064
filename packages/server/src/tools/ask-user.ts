/**
 * Built-in tool: asks the user. It is never run: its result is what people answer to a `question`.
 *
 * H6 Each question of a call has a header of its own: answers are told apart by it.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { Question } from '@turnkeeper/core/session/events';
import type { Tool } from '../ports/tool.ts';

const mostQuestions = 4;
const mostOptions = 20;

const option = {
  anyOf: [
    { type: 'string', minLength: 1, maxLength: 200 },
    {
      type: 'object',
      properties: { label: { type: 'string', minLength: 1, maxLength: 200 }, description: { type: 'string', maxLength: 1_000 } },
      required: ['label'],
      additionalProperties: false,
    },
  ],
} as const;

const question = {
  question: { type: 'string', minLength: 1, maxLength: 4_000, description: 'What you want to know.' },
  header: { type: 'string', minLength: 1, maxLength: 40, description: 'A short name for the answer.' },
  options: { type: 'array', items: option, maxItems: mostOptions, description: 'To choose from; leave out for a free answer.' },
  multi_select: { type: 'boolean', description: 'More than one option may be chosen.' },
} as const;

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    ...question,
    questions: {
      type: 'array',
      minItems: 1,
      maxItems: mostQuestions,
      items: { type: 'object', properties: question, required: ['question'], additionalProperties: false },
      description: 'Instead of `question`: several at once.',
    },
  },
  additionalProperties: false,
};

const optionOf = (from: Json): Question['options'][number] => {
  if (typeof from === 'string') return { label: from, description: '' };
  const { label, description } = from as { readonly label: string; readonly description?: string };
  return { label, description: description ?? '' };
};

const questionOf = (from: JsonObject, header: string): Question => ({
  question: String(from['question']),
  header,
  multi_select: from['multi_select'] === true,
  options: ((from['options'] ?? []) as readonly Json[]).map(optionOf),
});

/** The headers that were given, and names for those that are missing or taken. */
const headersOf = (asked: readonly JsonObject[]): readonly string[] => {
  const taken = new Set<string>();
  return asked.map(({ header }) => {
    const wanted = typeof header === 'string' ? header.trim() : '';
    // No answer could carry the name `__proto__` (core F2): the question would wait for ever.
    const base = wanted === '' || wanted === '__proto__' ? 'answer' : wanted;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base}_${n}`;
    taken.add(name);
    return name;
  });
};

/** What people are asked by a call with these arguments. Throws what is wrong with them. */
const questionsOf = (input: JsonObject): readonly Question[] => {
  const several = input['questions'] as readonly JsonObject[] | undefined;
  if (several === undefined && input['question'] === undefined) throw new Error('Give `question`, or `questions` with one to four of them.');
  if (several !== undefined && input['question'] !== undefined) throw new Error('Give either `question` or `questions`, not both.');
  const asked = several ?? [input];
  const headers = headersOf(asked);
  const questions = asked.map((one, index) => questionOf(one, headers[index] ?? 'answer'));
  for (const { options, header } of questions)
    if (new Set(options.map(({ label }) => label)).size !== options.length) throw new Error(`The options of "${header}" must have different labels.`);
  return questions;
};

export const createAskUserTool = (): Tool => ({
  spec: { name: 'ask_user', description: 'Asks the user one or several questions and waits for the answers.', inputSchema },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  inquiry: (input) => ({ kind: 'question', questions: questionsOf(input) }),
  run: () => Promise.reject(new Error('Nobody can be asked by running this tool.')),
});
