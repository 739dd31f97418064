/** The documents say what the code says. */
import { posix } from 'node:path';
import { turnOutcomes, turnStatuses } from '@turnkeeper/core/session/events';
import { describe, expect, it } from 'vitest';
import { errorDocsPath, renderErrorDocs } from './error-docs.ts';
import { invariantDocsPath, renderInvariantDocs } from './invariant-docs.ts';
import { citations, declarations, invariants, keyOf, strayFault, twiceFault, unknownCitations } from './invariants.ts';
import { read, repositoryFiles } from './repository.ts';

const hint = 'run "npm run docs"';

describe('docs/protocol/errors.md', () => {
  it('is the table of codes', () => {
    expect(read(errorDocsPath), hint).toBe(renderErrorDocs());
  });
});

describe('docs/protocol/events.md', () => {
  const code = ['events', 'family-events', 'event-shapes'].map((file) => read(`packages/core/src/session/${file}.ts`)).join('\n');
  const types = [...code.matchAll(/\bOf<\s*'([a-z_]+\.[a-z_]+)'/g)].map((match) => match[1] ?? '');
  const rows = read('docs/protocol/events.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has a row for every event', () => {
    expect(types.length).toBeGreaterThan(30);
    expect(rows.map((cells) => cells[1]?.replaceAll('`', '')).toSorted()).toEqual(types.toSorted());
  });

  it('names only members that the code has', () => {
    const members = rows.flatMap((cells) => [...(cells[2] ?? '').matchAll(/`([a-z_]+)\??`/g)].map((match) => match[1] ?? ''));
    expect(members.length).toBeGreaterThan(60);
    expect([...new Set(members)].filter((member) => !new RegExp(`\\b${member}\\??:`).test(code))).toEqual([]);
  });
});

describe('docs/session-states.md', () => {
  it('names every state of a turn', () => {
    const text = read('docs/session-states.md');
    expect([...turnStatuses, ...turnOutcomes].filter((status) => !text.includes(`\`${status}\``))).toEqual([]);
  });
});

describe('invariants', () => {
  it('are listed as the headers declare them', () => {
    expect(invariants.size).toBeGreaterThan(40);
    expect(read(invariantDocsPath), hint).toBe(renderInvariantDocs());
  });

  it('are numbered by the folder that owns their letter', () => {
    expect(declarations.map(strayFault).filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('have one meaning in their area', () => {
    expect([...invariants.values()].map(twiceFault).filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('that code cites are declared', () => {
    const unknown = [...citations.keys()].flatMap((file) => unknownCitations(file).map((id) => `${file} cites ${id}`));
    expect(unknown).toEqual([]);
  });

  it('that are listed are cited by code', () => {
    const cited = new Set([...citations].flatMap(([file, ids]) => [...ids].map((id) => keyOf(id, file))));
    const listed = [...read(invariantDocsPath).matchAll(/^- \*\*([A-Z]{1,2}\d+)\*\* .*\(`([^`]+)`/gm)].map((match) => keyOf(match[1] ?? '', match[2] ?? ''));
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.filter((key) => !cited.has(key))).toEqual([]);
  });
});

describe('links', () => {
  const documents = repositoryFiles.filter((file) => file.endsWith('.md'));
  const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/');
  const known = new Set([...repositoryFiles, ...repositoryFiles.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))]);
  const resolve = (from: string, link: string): string => posix.join(folderOf(from), link).replace(/\/$/, '');

  it('between documents lead somewhere', () => {
    expect(documents.length).toBeGreaterThanOrEqual(12);
    const links = documents.flatMap((file) => [...read(file).matchAll(/\]\(([^)\s#]+)(#[^)]*)?\)/g)].map((match) => ({ file, link: match[1] ?? '' })));
    const local = links.filter(({ link }) => !/^[a-z]+:/.test(link));
    expect(local.length).toBeGreaterThan(20);
    expect(local.filter(({ file, link }) => !known.has(resolve(file, link)))).toEqual([]);
  });
});
