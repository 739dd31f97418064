/**
 * The CEL that workflows are written in: the library's, with what differs here.
 *
 * XP2 Patterns take time linear in the text: `matches` runs on RE2, never on the library's own.
 *
 * Mixed arithmetic of ints and doubles gives doubles: whether a number of JSON is whole is chance.
 */
import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import { longestText, spend, TooMuchWork } from './cel-work.ts';

const linearMatches = 'linear_matches';
const boundedJoin = 'bounded_join';
/** Methods of the library that are replaced, by what stands in for them. */
export const replaced: ReadonlyMap<string, string> = new Map([
  ['matches', linearMatches],
  ['join', boundedJoin],
]);

/** Names as they were written. */
export const asWritten = (detail: string): string => [...replaced].reduce((text, [name, ours]) => text.replaceAll(ours, name), detail);

const patterns = new Map<string, RE2JS>();
const mostPatterns = 200;

const compiled = (pattern: string): RE2JS => {
  const before = patterns.get(pattern);
  if (before) return before;
  // Counted repetitions are written out when a pattern is compiled.
  if (pattern.length > 1_000) throw new TooMuchWork('a pattern has more than 1000 characters');
  spend(20_000);
  const made = RE2JS.compile(pattern);
  const [oldest] = patterns.keys();
  if (patterns.size >= mostPatterns && oldest !== undefined) patterns.delete(oldest);
  patterns.set(pattern, made);
  return made;
};

const matches = (text: string, pattern: string): boolean => {
  spend(text.length * (1 + (pattern.length >> 3)));
  return compiled(pattern).matcher(text).find();
};

const join = (texts: readonly string[], separator = ''): string => {
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  if (length > longestText + separator.length) throw new TooMuchWork(`a text in it would have more than ${longestText} characters`);
  return texts.join(separator);
};

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

export const newEnvironment = (): Environment => {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 200, maxCallArguments: 16 },
  });
  for (const name of ['run', 'nodes']) environment.registerVariable(name, 'map');
  for (const name of ['item', 'result']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('index', 'int');
  for (const [operator, calculate] of Object.entries(arithmetic)) {
    environment.registerOperator(`int ${operator} double: double`, (a: bigint, b: number) => calculate(Number(a), b));
    environment.registerOperator(`double ${operator} int: double`, (a: number, b: bigint) => calculate(a, Number(b)));
  }
  const options = { async: false };
  environment.registerFunction(`string.${linearMatches}(string): bool`, matches, options);
  environment.registerFunction(`${linearMatches}(string, string): bool`, matches, options);
  environment.registerFunction(`list<string>.${boundedJoin}(): string`, (texts: readonly string[]) => join(texts), options);
  environment.registerFunction(`list<string>.${boundedJoin}(string): string`, join, options);
  return environment;
};
