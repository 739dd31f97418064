import type { Question } from '@turnkeeper/core/session/events';
import { expect, test } from 'vitest';
import { answersOf, choose, noAnswer, say } from './question-answers.ts';

const options = ['red', 'green', 'blue'].map((label) => ({ label, description: '' }));
const one: Question = { header: 'colour', question: 'Which?', multi_select: false, options };
const many: Question = { header: 'colours', question: 'Which ones?', multi_select: true, options };
const free: Question = { header: 'why', question: 'Why?', multi_select: false, options: [] };

test('one answer: an option, or words instead of it', () => {
  const red = choose(one, noAnswer, 'red', true);
  expect(answersOf([one], { colour: red })).toEqual({ colour: 'red' });
  const pink = say(one, red, ' pink ');
  expect(answersOf([one], { colour: pink })).toEqual({ colour: 'pink' });
  expect(answersOf([one], { colour: choose(one, pink, 'blue', true) })).toEqual({ colour: 'blue' });
  expect(answersOf([one], { colour: say(one, red, '') })).toEqual({ colour: 'red' });
});

test('several answers: in the order of the options, words beside them', () => {
  const both = choose(many, choose(many, noAnswer, 'blue', true), 'red', true);
  expect(answersOf([many], { colours: both })).toEqual({ colours: ['red', 'blue'] });
  expect(answersOf([many], { colours: say(many, choose(many, both, 'blue', false), 'pink') })).toEqual({ colours: ['red', 'pink'] });
});

test('there is no answer until every question has one', () => {
  expect(answersOf([one, free], { colour: choose(one, noAnswer, 'red', true) })).toBeUndefined();
  expect(answersOf([free], { why: say(free, noAnswer, '  ') })).toBeUndefined();
  expect(answersOf([free], { why: say(free, noAnswer, 'because') })).toEqual({ why: 'because' });
});
