/** Nothing in the repository speaks of the machine that it was written on. */
import { describe, expect, it } from 'vitest';
import { read, repositoryFiles } from './repository.ts';

/** Written in parts, so that this file does not find itself. */
const host = (...parts: readonly string[]): RegExp => new RegExp(`\\b${parts.join('\\.')}\\b`);

const forbidden: readonly RegExp[] = [
  host('registry', 'npmjs', 'org'),
  host('registry', 'yarnpkg', 'com'),
  host('registry', 'npmmirror', 'com'),
  host('npm', 'pkg', 'github', 'com'),
  host('proxy', 'golang', 'org'),
  host('pypi', 'org'),
  host('deb', 'debian', 'org'),
  // An absolute path or one from a home folder; `./work/…` and `runner/work/…` are folders of ours.
  new RegExp(`(?<![\\w.-])/${'wor'}k/`),
  new RegExp(`\\.${'lib'}rary\\b`),
  new RegExp(`${'share'}d/${'desi'}gn`),
];

/** Files that are not text. */
const binary = /\.(png|ico|jpe?g|gif|woff2?|wasm|gz|tgz|pdf)$/;

const hits = (file: string): readonly string[] =>
  read(file)
    .split('\n')
    .flatMap((line, at) => forbidden.filter((word) => word.test(line)).map((word) => `${file}:${at + 1} ${word}`));

describe('the repository', () => {
  const texts = repositoryFiles.filter((file) => !binary.test(file));

  it('names no registry and no private folder', () => {
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.flatMap(hits)).toEqual([]);
  });
});
