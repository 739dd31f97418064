/**
 * Answers to questions while they are being given.
 *
 * Options are offers: other words are an answer too. Where one answer is wanted, words of one's own stand instead of an
 * option; where several are, beside them.
 */
import type { Json } from '@turnkeeper/core/protocol/json';
import type { Question } from '@turnkeeper/core/session/events';

export type QuestionDraft = { readonly chosen: readonly string[]; readonly words: string };
export const noAnswer: QuestionDraft = { chosen: [], words: '' };

export const choose = ({ multi_select }: Question, draft: QuestionDraft, label: string, isChosen: boolean): QuestionDraft => {
  if (!multi_select) return { chosen: isChosen ? [label] : [], words: '' };
  const others = draft.chosen.filter((known) => known !== label);
  return { ...draft, chosen: isChosen ? [...others, label] : others };
};

export const say = ({ multi_select }: Question, draft: QuestionDraft, words: string): QuestionDraft =>
  multi_select || words === '' ? { ...draft, words } : { chosen: [], words };

/** Undefined while there is none. */
const answerOf = (question: Question, { chosen, words }: QuestionDraft): Json | undefined => {
  // In the order in which they were offered, whatever the order of choosing.
  const labels = question.options.map(({ label }) => label).filter((label) => chosen.includes(label));
  const given = [...labels, ...(words.trim() === '' ? [] : [words.trim()])];
  if (given.length === 0) return undefined;
  return question.multi_select ? given : given[0];
};

/** By header; undefined until every question has its answer. */
export const answersOf = (questions: readonly Question[], drafts: { readonly [header: string]: QuestionDraft }): { [header: string]: Json } | undefined => {
  const answers = questions.map((question) => [question.header, answerOf(question, drafts[question.header] ?? noAnswer)] as const);
  if (answers.some(([, answer]) => answer === undefined)) return undefined;
  return Object.fromEntries(answers) as { [header: string]: Json };
};
