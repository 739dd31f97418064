/**
 * docs/invariants.md, made from the headers of the code. `npm run docs` writes it; a house test compares it.
 */
import { areaOf } from './import-table.ts';
import { type Declaration, invariants, isShared, letterOf, sharedLetters } from './invariants.ts';

export const invariantDocsPath = 'docs/invariants.md';

type Group = readonly Declaration[];

const line = ([owner, ...others]: Group): string => {
  const also = [...new Set(others.map((entry) => entry.file))].filter((file) => file !== owner?.file);
  const where = [`\`${owner?.file}\``, ...also.map((file) => `also \`${file}\``)].join(', ');
  return `- **${owner?.id}** ${owner?.text} (${where})`;
};

const section = (title: string, groups: readonly Group[]): string => `## ${title}\n\n${groups.map(line).join('\n')}\n`;
const idOf = ([owner]: Group): string => owner?.id ?? '';
const areaNameOf = ([owner]: Group): string => areaOf(owner?.file ?? '') ?? '?';

export const renderInvariantDocs = (): string => {
  const groups = [...invariants.values()];
  const shared = Object.entries(sharedLetters).map(([letter, { about }]) => {
    const ofLetter = groups.filter((group) => letterOf(idOf(group)) === letter);
    return section(`${letter}: ${about}`, ofLetter);
  });
  const own = groups.filter((group) => !isShared(idOf(group)));
  const areas = [...Map.groupBy(own, areaNameOf)].toSorted(([a], [b]) => a.localeCompare(b)).map(([area, ofArea]) => section(`Within ${area}`, ofArea));
  return `<!-- Written by "npm run docs" from the headers of the code. Do not edit by hand. -->

# Invariants

What always holds, by number. Each is declared in the header of the file that keeps it; code and tests cite the number.
A fixed bug adds the invariant that it broke. The letters of the first part mean the same everywhere; the numbers of the
second part hold within one area of the house.

${[...shared, ...areas].join('\n')}`;
};
