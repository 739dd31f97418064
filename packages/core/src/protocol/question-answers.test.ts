/** F5: answers to questions. */
import { describe, expect, it } from 'vitest';
import { inOrder, questionFaults } from './question-answers.ts';

const size = { header: 'size', multi_select: false };
const colours = { header: 'colours', multi_select: true };
const faultsOf = (answers: unknown) => questionFaults([size, colours], answers).map(({ pointer }) => pointer);

describe('answers to questions', () => {
  it('F5 are taken when each question has one, in words of whatever kind', () => {
    expect(faultsOf({ colours: ['red', 'none of these'], size: 'between M and L' })).toEqual([]);
  });
  it.each([
    [undefined, ['/answers']],
    [[], ['/answers']],
    ['L', ['/answers']],
    [{}, ['/answers/size', '/answers/colours']],
    [{ size: 'L' }, ['/answers/colours']],
    [{ size: ' ', colours: [] }, ['/answers/size', '/answers/colours']],
    [{ size: ['L'], colours: 'red' }, ['/answers/size', '/answers/colours']],
    [{ size: 5, colours: ['red', '', 7, 'blue'] }, ['/answers/size', '/answers/colours/1', '/answers/colours/2']],
    [{ size: null, colours: ['red'], 'a/b': 'x' }, ['/answers/size', '/answers/a~1b']],
    [{ size: 'x'.repeat(100_000), colours: ['red'] }, ['/answers']],
  ])('F5 are refused, every fault by its place: %j', (answers, pointers) => {
    expect(faultsOf(answers)).toEqual(pointers);
  });
  it('do not take what every object has for an answer', () => {
    expect(questionFaults([{ header: 'toString', multi_select: false }], {})).toHaveLength(1);
  });
  it('are put in the order of the questions', () => {
    expect(JSON.stringify(inOrder([size, colours], { colours: ['red'], size: 'L' }))).toBe('{"size":"L","colours":["red"]}');
  });
});
