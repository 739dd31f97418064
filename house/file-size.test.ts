/** Small files: 500 lines at most, and a median of at most 120 in each package. */
import { describe, expect, it } from 'vitest';
import { codeFiles, isTest, read } from './repository.ts';

const hardLimit = 500;
const medianLimit = 120;

const lines = (file: string): number => read(file).trimEnd().split('\n').length;
const sizes = codeFiles.map((file) => ({ file, lines: lines(file) }));

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
};

const packageOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('packages/') ? 2 : 1)
    .join('/');

describe('files', () => {
  it(`have at most ${hardLimit} lines`, () => {
    expect(sizes.length).toBeGreaterThan(40);
    expect(sizes.filter((entry) => entry.lines > hardLimit)).toEqual([]);
  });

  const packages = Map.groupBy(
    sizes.filter(({ file }) => !isTest(file)),
    ({ file }) => packageOf(file),
  );
  it.each([...packages.keys()])(`of %s have a median of at most ${medianLimit} lines`, (name) => {
    expect(median((packages.get(name) ?? []).map((entry) => entry.lines))).toBeLessThanOrEqual(medianLimit);
  });
});
