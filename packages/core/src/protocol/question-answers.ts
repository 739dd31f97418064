/**
 * Answers to the questions of one action, held to what was asked.
 *
 * F5 Every question is answered, by its header, and nothing else is; all faults are told at once. Options are offers: other
 *    words are an answer too.
 */
import { codePoints } from './content.ts';
import type { JsonObject } from './json.ts';
import { limits } from './wire/limits.ts';
import { type Fault, pointerOf } from './wire-faults.ts';

/** What of a question decides what answers it. */
type Asked = { readonly header: string; readonly multi_select: boolean };

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const answerFaults = ({ header, multi_select }: Asked, value: unknown): readonly Fault[] => {
  const fault = (detail: string, ...path: readonly number[]): Fault => ({ pointer: pointerOf(['answers', header, ...path]), detail });
  if (value === undefined) return [fault('is missing')];
  if (!multi_select) return isText(value) ? [] : [fault('a text that is not blank')];
  if (!Array.isArray(value) || value.length === 0) return [fault('a list of at least one text')];
  return value.flatMap((each, n) => (isText(each) ? [] : [fault('a text that is not blank', n)]));
};

/** What is wrong with the answers, by JSON pointers into the payload that holds them as `answers`. */
export const questionFaults = (questions: readonly Asked[], answers: unknown): readonly Fault[] => {
  if (!isObject(answers)) return [{ pointer: '/answers', detail: 'an object: an answer for each question, by its header' }];
  const headers = new Set(questions.map(({ header }) => header));
  const faults = questions.flatMap((question) => answerFaults(question, Object.hasOwn(answers, question.header) ? answers[question.header] : undefined));
  const strange = Object.keys(answers).filter((name) => !headers.has(name));
  const all = [...faults, ...strange.map((name) => ({ pointer: pointerOf(['answers', name]), detail: 'there is no such question' }))];
  const length = codePoints(JSON.stringify(answers));
  return length <= limits.toolOutputCharacters ? all : [...all, { pointer: '/answers', detail: `at most ${limits.toolOutputCharacters} characters in all` }];
};

/** The answers in the order in which they were asked for. */
export const inOrder = (questions: readonly Asked[], answers: JsonObject): JsonObject =>
  Object.fromEntries(questions.flatMap(({ header }) => (answers[header] === undefined ? [] : [[header, answers[header]]])));
