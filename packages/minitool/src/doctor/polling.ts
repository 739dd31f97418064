/** Asking `listEvents` again and again: it is slow, it uses up what is kept, and `waitForTurn` says it at once. */
import type { Finding } from './finding.ts';
import { closingOf, lineAt, type Source } from './source.ts';

const sleeps = /\b(?:setTimeout|sleep|delay|wait|pause|scheduler\s*\.\s*wait)\s*\(/;
const asks = /\blistEvents\s*\(/;

/** The body of what begins with a keyword: what stands in its braces, or its one statement. */
const bodyFrom = (bare: string, at: number): string => {
  const opening = bare.slice(at).search(/\S/) + at;
  if (bare[opening] === '{') return bare.slice(opening, closingOf(bare, opening));
  const end = bare.indexOf(';', opening);
  return bare.slice(opening, end < 0 ? bare.length : end);
};

const loops = function* (bare: string): Generator<{ readonly at: number; readonly body: string }> {
  for (const match of bare.matchAll(/\b(while|for|do)\b(\s+await)?\s*/g)) {
    const after = match.index + match[0].length;
    if (match[1] === 'do') yield { at: match.index, body: bodyFrom(bare, after) };
    else if (bare[after] === '(') yield { at: match.index, body: bodyFrom(bare, closingOf(bare, after) + 1) };
  }
};

const finding = ({ path, text }: Source, at: number): Finding => ({
  code: 'polling',
  level: 'warning',
  file: path,
  line: lineAt(text, at),
  what: 'listEvents is asked again and again',
  why: 'Use waitForTurn for the result of one turn, onDidReceiveEvent or consume for what happens; listEvents is for what was missed.',
});

export const pollings = (source: Source): readonly Finding[] => {
  const { bare } = source;
  const inLoops = [...loops(bare)].filter(({ body }) => asks.test(body) && sleeps.test(body)).map(({ at }) => at);
  const inIntervals = [...bare.matchAll(/\bsetInterval\s*\(/g)]
    .filter(({ index, 0: call }) => asks.test(bare.slice(index, closingOf(bare, index + call.length - 1))))
    .map(({ index }) => index);
  return [...inLoops, ...inIntervals].map((at) => finding(source, at));
};
