/**
 * Numbered invariants: where they are declared, where they are cited, and docs/invariants.md, made from the headers.
 *
 * A declaration is a line of a file's header (its first comment) that begins with the number, `S1 An id is …`, or a
 * further number behind a full stop on the same line. Files of the same folder may repeat a number that they
 * have a part in; elsewhere it is cited in brackets, `(S1)`.
 */
import { codeFiles, read } from './repository.ts';

export const invariantDocsPath = 'docs/invariants.md';

export type Declaration = { readonly id: string; readonly text: string; readonly file: string };

const declaring = codeFiles.filter((file) => file.startsWith('packages/') && !/\.(test|config)\./.test(file));

const headerOf = (file: string): string => /^\s*\/\*\*([\s\S]*?)\*\//.exec(read(file))?.[1] ?? '';

/** The paragraphs of a header, one for each invariant: a line that begins one, and the lines that go on with it. */
const declarationsIn = (file: string): readonly Declaration[] => {
  const found: { id: string; text: string; file: string }[] = [];
  let open = false;
  for (const raw of headerOf(file).split('\n')) {
    const line = raw.replace(/^\s*\* ?/, '');
    const start = /^([A-Z]{1,2}\d{1,2}) +(?=\S)/.exec(line);
    if (start?.[1]) {
      const [first = '', ...more] = line.split(/(?<=\.) (?=[A-Z]{1,2}\d{1,2} )/);
      for (const part of [first, ...more]) found.push({ id: /^[A-Z]{1,2}\d{1,2}/.exec(part)?.[0] ?? '', text: part.replace(/^[A-Z]{1,2}\d{1,2} +/, ''), file });
      open = true;
    } else if (open && /^ +\S/.test(line)) {
      const last = found.at(-1);
      if (last) last.text += ` ${line.trim()}`;
    } else open = false;
  }
  return found;
};

const depth = (file: string): number => file.split('/').length;
/** Core before the ports before all others; then the file nearer to the top. */
const rank = (file: string): number => (file.startsWith('packages/core/') ? 0 : file.startsWith('packages/server/src/ports/') ? 100 : 200) + depth(file);

const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id, 'en', { numeric: true });

/** Every declaration, by number; the owner of a number first. */
export const declarations: readonly Declaration[] = declaring
  .flatMap(declarationsIn)
  .toSorted((a, b) => byId(a, b) || rank(a.file) - rank(b.file) || a.file.localeCompare(b.file));

export const invariants: ReadonlyMap<string, readonly Declaration[]> = Map.groupBy(declarations, (entry) => entry.id);

/**
 * What the letters stand for, and the folder that alone gives out their numbers. A new letter needs a line here; two
 * letters (`MD1`) are fine where the good ones are taken.
 */
export const letters: Readonly<Record<string, { readonly about: string; readonly folder: string }>> = {
  B: { about: 'Wake-ups between processes', folder: 'packages/server/src/ports/' },
  C: { about: 'The private context', folder: 'packages/core/src/session/' },
  D: { about: 'Deciding', folder: 'packages/core/src/session/' },
  E: { about: 'Events', folder: 'packages/core/src/session/' },
  F: { about: 'Errors', folder: 'packages/core/src/protocol/' },
  G: { about: 'The catalog of agents, users and tokens', folder: 'packages/server/src/ports/' },
  K: { about: 'Cursors and ids', folder: 'packages/core/src/protocol/' },
  L: { about: 'Tools', folder: 'packages/server/src/ports/' },
  M: { about: 'Models', folder: 'packages/server/src/ports/' },
  P: { about: 'Pending work', folder: 'packages/core/src/session/' },
  R: { about: 'Cached resources', folder: 'packages/server/src/app/' },
  S: { about: 'The session', folder: 'packages/core/src/session/' },
  T: { about: 'Time', folder: 'packages/server/src/ports/' },
  V: { about: 'The public view', folder: 'packages/core/src/view/' },
  W: { about: 'The session store', folder: 'packages/server/src/ports/' },
  X: { about: 'Executing: the only writer of sessions', folder: 'packages/server/src/app/' },
};

export const letterOf = (id: string): string => id.replace(/\d+$/, '');

const comments = (text: string): string => [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map((match) => match[0]).join('\n');
/** Texts that begin with a number: titles of tests, names of broken invariants. */
const texts = (text: string): string =>
  [...text.matchAll(/(?<=['"`])(?:invariants? )?[A-Z]{1,2}\d{1,2}(?:, [A-Z]{1,2}\d{1,2})*(?=[ :.])/g)].map((match) => match[0]).join('\n');
const numbers = (text: string): readonly string[] => [...text.matchAll(/(?<![\w.#$+/-])[A-Z]{1,2}\d{1,2}(?![\w])/g)].map((match) => match[0]);

/** The numbers that each code file speaks of, in comments and at the beginning of texts. */
export const citations: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  codeFiles
    .filter((file) => !file.startsWith('house/'))
    .map((file) => {
      const text = read(file);
      return [file, new Set([...numbers(comments(text)), ...numbers(texts(text))])];
    }),
);

const line = (id: string, [owner, ...others]: readonly Declaration[]): string => {
  const also = [...new Set(others.map((entry) => entry.file))].filter((file) => file !== owner?.file);
  const where = [`\`${owner?.file}\``, ...also.map((file) => `also \`${file}\``)].join(', ');
  return `- **${id}** ${owner?.text} (${where})`;
};

export const renderInvariantDocs = (): string => {
  const groups = Map.groupBy([...invariants], ([id]) => letterOf(id));
  const sections = [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([letter, entries]) => `## ${letter}: ${letters[letter]?.about ?? '?'}\n\n${entries.map(([id, found]) => line(id, found)).join('\n')}\n`);
  return `<!-- Written by "npm run docs" from the headers of the code. Do not edit by hand. -->

# Invariants

What always holds, by number. Each is declared in the header of the file that keeps it; code and tests cite the number.
A fixed bug adds the invariant that it broke.

${sections.join('\n')}`;
};
