/** What the documents show of the examples is what runs: definitions whole, programs in parts, line for line. */
import { describe, expect, it } from 'vitest';
import { read } from './repository.ts';

/** Of each document the examples that it shows. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'docs/workflows.md': ['workflow-report-approval', 'workflow-order'],
  'docs/teams.md': ['team-research'],
  'docs/outcome-checks.md': ['team-research'],
};

const blocksOf = (document: string, language: string): readonly string[] =>
  [...read(document).matchAll(new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\``, 'gs'))].map((match) => match[1] ?? '');
/** However deep it stands. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');

describe.each(Object.entries(shown))('%s', (document, names) => {
  it('shows lines of its programs', () => {
    const programs = names.map((name) => linesOf(read(`examples/${name}.ts`)));
    const blocks = blocksOf(document, 'ts');
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.filter((block) => !programs.some((program) => program.includes(linesOf(block))))).toEqual([]);
  });

  it('shows its definitions word for word', () => {
    const definitions = names.map((name) => read(`examples/${name}.yaml`).trimEnd());
    expect(blocksOf(document, 'yaml')).toEqual(document === 'docs/outcome-checks.md' ? [] : definitions);
  });
});
