/**
 * Numbered invariants: where they are declared and where they are cited.
 *
 * A declaration is a line of a file's header (its first comment) that begins with the number, `S1 An id is …`, or a
 * further number behind a full stop on the same line. The letters of `sharedLetters` mean the same in the whole house, and
 * only the folders named there give out their numbers. Every other letter is an area's own affair: its numbers hold, and
 * are cited, within that area (import-table.ts) only.
 */
import { areaOf } from './import-table.ts';
import { codeFiles, read } from './repository.ts';

export type Declaration = { readonly id: string; readonly text: string; readonly file: string };

const core = 'packages/core/src/';
const server = 'packages/server/src/';

type Letter = {
  readonly about: string;
  /** Who gives out its numbers. */
  readonly folders: readonly string[];
  /** Who carries it out may say in a header how it keeps a number that was given out. */
  readonly keptBy?: readonly string[];
};

export const sharedLetters: Readonly<Record<string, Letter>> = {
  B: { about: 'Wake-ups and feeds', folders: [`${server}ports/`, `${server}app/`], keptBy: [`${server}store/`] },
  C: { about: 'The private context', folders: [`${core}session/`] },
  D: { about: 'Deciding', folders: [`${core}session/`] },
  E: { about: 'Events', folders: [`${core}session/`] },
  F: { about: 'Errors', folders: [`${core}protocol/`] },
  FB: { about: 'Files and their bytes', folders: [`${server}ports/`, `${server}app/`], keptBy: [`${server}store/`] },
  G: { about: 'The catalog of agents, users and tokens', folders: [`${server}ports/`], keptBy: [`${server}store/`] },
  I: { about: 'Fresh ids and repeated calls', folders: [`${server}ports/`, `${server}app/`], keptBy: [`${server}store/`] },
  K: { about: 'Cursors and ids', folders: [`${core}protocol/`] },
  L: { about: 'Tools', folders: [`${server}ports/`], keptBy: [`${server}tools/`, `${server}runner/`] },
  M: { about: 'Models', folders: [`${server}ports/`], keptBy: [`${server}models/`] },
  P: { about: 'Pending work', folders: [`${core}session/`], keptBy: [`${server}runner/`] },
  S: { about: 'The session', folders: [`${core}session/`], keptBy: [`${server}app/`, `${server}runner/`] },
  T: { about: 'Time', folders: [`${server}ports/`] },
  V: { about: 'The public view', folders: [`${core}view/`, `${server}app/`] },
  W: { about: 'The session store', folders: [`${server}ports/`], keptBy: [`${server}store/`] },
  WH: { about: 'Webhooks', folders: [`${server}ports/`], keptBy: [`${server}store/`, `${server}webhooks/`] },
  RT: { about: 'What the store forgets', folders: [`${server}ports/`], keptBy: [`${server}store/`, `${server}retention/`] },
  SD: { about: 'Schedules', folders: [`${server}ports/`], keptBy: [`${server}store/`] },
  SA: { about: 'Sessions that are brought back', folders: [`${server}ports/`], keptBy: [`${server}store/`] },
};

export const letterOf = (id: string): string => id.replace(/\d+$/, '');
export const isShared = (id: string): boolean => letterOf(id) in sharedLetters;
const areaName = (file: string): string => areaOf(file) ?? '?';

/** What a number means in a file: the shared one, or its area's own. */
export const keyOf = (id: string, file: string): string => (isShared(id) ? id : `${areaName(file)} ${id}`);

const headerOf = (file: string): string => /^\s*\/\*\*([\s\S]*?)\*\//.exec(read(file))?.[1] ?? '';

/** A paragraph may declare several: `T1 … T2 …`, each but the first behind a full stop. */
const split = (paragraph: string, file: string): readonly Declaration[] =>
  paragraph.split(/(?<=[.;]) +(?=[A-Z]{1,2}\d{1,2} )/).map((part) => ({ id: /^\w+/.exec(part)?.[0] ?? '', text: part.replace(/^\w+ +/, '').trim(), file }));

/** The paragraphs of a header that begin with a number: that line, and the indented lines that go on with it. */
const declarationsIn = (file: string): readonly Declaration[] => {
  const paragraphs: string[] = [];
  let open = false;
  // A header of a single line has its numbers behind its sentences.
  const header = headerOf(file).replace(/^[^\n]*$/, (text) => text.replace(/(?<=\.) (?=[A-Z]{1,2}\d{1,2} )/, '\n'));
  for (const raw of header.split('\n')) {
    const text = raw.replace(/^\s*\* ?/, '');
    if (/^[A-Z]{1,2}\d{1,2} +\S/.test(text)) {
      paragraphs.push(text);
      open = true;
    } else if (open && /^ +\S/.test(text)) paragraphs.push(`${paragraphs.pop()} ${text.trim()}`);
    else open = false;
  }
  return paragraphs.flatMap((paragraph) => split(paragraph, file));
};

const depth = (file: string): number => file.split('/').length;
/** Core before the ports before all others; then the file nearer to the top. */
const rank = (file: string): number => (file.startsWith(core) ? 0 : file.startsWith(`${server}ports/`) ? 100 : 200) + depth(file);
const byId = (a: Declaration, b: Declaration): number => a.id.localeCompare(b.id, 'en', { numeric: true });

/** Every declaration, in order of its number; the owner of a number first. */
export const declarations: readonly Declaration[] = codeFiles
  .filter((file) => file.startsWith('packages/') && !/\.(test|config)\./.test(file))
  .flatMap(declarationsIn)
  .toSorted((a, b) => byId(a, b) || rank(a.file) - rank(b.file) || a.file.localeCompare(b.file));

export const invariants: ReadonlyMap<string, readonly Declaration[]> = Map.groupBy(declarations, ({ id, file }) => keyOf(id, file));

/** Says why a file may not declare a number, if so. */
export const strayFault = ({ id, file }: Declaration): string | undefined => {
  const letter = sharedLetters[letterOf(id)];
  if (!letter) return undefined;
  const owns = letter.folders.some((folder) => file.startsWith(folder));
  const keeps = letter.keptBy?.some((folder) => file.startsWith(folder)) && invariants.get(id)?.[0]?.file !== file;
  return owns || keeps ? undefined : `${file} declares ${id}, but ${letterOf(id)} stands for "${letter.about}": take a letter that is not shared`;
};

/** Says where one number is declared twice in an area, by files that have nothing to do with each other. */
export const twiceFault = ([owner, ...others]: readonly Declaration[]): string | undefined => {
  if (!owner || isShared(owner.id)) return undefined;
  const other = others.find((entry) => entry.file !== owner.file);
  return other && `${owner.id} of ${areaName(owner.file)} is declared by ${owner.file} and by ${other.file}`;
};

const comments = (text: string): string => [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map((match) => match[0]).join('\n');
/** Texts that begin with a number: titles of tests, names of broken invariants. */
const texts = (text: string): string =>
  [...text.matchAll(/(?<=['"`])(?:invariants? )?[A-Z]{1,2}\d{1,2}(?:, [A-Z]{1,2}\d{1,2})*(?=[ :.])/g)].map((match) => match[0]).join('\n');
const numbers = (text: string): readonly string[] => [...text.matchAll(/(?<![\w.#$+/-])[A-Z]{1,2}\d{1,2}(?!\w)/g)].map((match) => match[0]);

/** The numbers that each code file speaks of, in comments and at the beginning of texts. */
export const citations: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  codeFiles.filter((file) => !file.startsWith('house/')).map((file) => [file, new Set([...numbers(comments(read(file))), ...numbers(texts(read(file)))])]),
);

/** The letters that each area uses. */
const areaLetters = new Map<string | undefined, Set<string>>();
for (const { id, file } of declarations) {
  const area = areaOf(file);
  areaLetters.set(area, (areaLetters.get(area) ?? new Set()).add(letterOf(id)));
}

/** Numbers in a file that are no invariant though they look like one: of a shared letter, or of one that its area uses. */
export const unknownCitations = (file: string): readonly string[] => {
  const ownLetters = areaLetters.get(areaOf(file));
  const looksLikeOne = (id: string): boolean => isShared(id) || ownLetters?.has(letterOf(id)) === true;
  return [...(citations.get(file) ?? [])].filter((id) => looksLikeOne(id) && !invariants.has(keyOf(id, file)));
};
