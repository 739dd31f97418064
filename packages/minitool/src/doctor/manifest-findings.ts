/** The faults of a manifest, with their lines. */
import type { ReadManifest } from '../manifest.ts';
import type { Finding } from './finding.ts';
import { lineAt } from './source.ts';

/** The line of a JSON pointer: its members are looked for one after another, list entries by the braces before them. */
const lineOf = (text: string, pointer: string): number => {
  let place = 0;
  for (const part of pointer.split('/').slice(1)) {
    const member = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const found = text.indexOf(JSON.stringify(member), place);
    if (found >= 0) place = found;
    else if (/^\d+$/.test(member)) {
      for (let entries = 0; entries <= Number(member); entries += 1) place = Math.max(place, text.indexOf('{', place + 1));
    }
  }
  return lineAt(text, place);
};

export const manifestFindings = (read: ReadManifest, text: string | undefined): readonly Finding[] =>
  read.ok
    ? []
    : read.faults.map(({ pointer, wanted }) => ({
        code: 'manifest_fault',
        level: 'error',
        file: read.file,
        line: text === undefined ? 1 : lineOf(text, pointer),
        what: `${pointer === '' ? 'The manifest' : pointer}: wanted is ${wanted}`,
        why: 'A faulty manifest is refused when the mini-tool is added.',
      }));
