/** Questions of an agent to people: options by number, or an answer in one's own words. */
import type { Question } from '@turnkeeper/core/session/events';
import { oneLine, printable } from '../output/printable.ts';

export type Answers = { readonly [header: string]: string | readonly string[] };
type Ask = (question: string) => Promise<string | undefined>;

/** The lines above the prompt: what is asked, and what is offered. */
export const questionLines = ({ question, options }: Question): readonly string[] => [
  printable(question),
  ...options.map(({ label, description }, at) => `  ${at + 1}  ${oneLine(label, 80)}${description === '' ? '' : ` – ${oneLine(description, 100)}`}`),
];

/** A number stands for its option, other words for themselves. Undefined: a number that no option has. */
const meant = (text: string, { options }: Question): string | undefined => {
  if (options.length === 0 || !/^\d+$/.test(text)) return text;
  return options[Number(text) - 1]?.label;
};

/** What was typed as an answer; undefined where it is none. Several, where they may be, stand between commas. */
export const readAnswer = (text: string, question: Question): string | readonly string[] | undefined => {
  const parts = (question.multi_select ? text.split(',') : [text]).map((part) => part.trim()).filter((part) => part !== '');
  const answers = parts.map((part) => meant(part, question));
  if (answers.length === 0 || answers.some((answer) => answer === undefined)) return undefined;
  return question.multi_select ? (answers as readonly string[]) : answers[0];
};

const hint = ({ multi_select, options }: Question): string => {
  if (options.length === 0) return multi_select ? 'answers, with commas between' : 'answer';
  return multi_select ? 'numbers or words, with commas between' : 'number or words';
};

/** Asks one after the other. Undefined when an empty line puts them off, or nobody is left to ask. */
export const askQuestions = async (ask: Ask, questions: readonly Question[], show: (line: string) => void): Promise<Answers | undefined> => {
  const answers: { [header: string]: string | readonly string[] } = {};
  for (const question of questions) {
    for (const line of questionLines(question)) show(line);
    for (let answer: string | readonly string[] | undefined; answer === undefined; ) {
      const text = await ask(`${hint(question)} (empty = later): `);
      if (!text?.trim()) return undefined;
      answer = readAnswer(text, question);
      if (answer === undefined) show(`  there is no such option: 1 to ${question.options.length}, or words`);
      else answers[question.header] = answer;
    }
  }
  return answers;
};
