/** Keys that are new each time: then a message that comes twice is two turns. */
import type { Finding } from './finding.ts';
import { closingOf, lineAt, type Source } from './source.ts';

const fresh =
  /\b(randomUUID|Math\s*\.\s*random|Date\s*\.\s*now|performance\s*\.\s*now|new\s+Date\s*\(\s*\)|nanoid|ulid|uuid(?:v[147])?|getRandomValues|randomBytes)\b/;

const why = 'The same message sent again must have the same key: use the outside platform’s own id of the message.';

/** The expression that begins at a place: to the comma, semicolon or bracket that ends it. */
const expressionAt = (bare: string, at: number): string => {
  let place = at;
  while (place < bare.length && !',;)]}'.includes(bare[place] ?? ',')) {
    if ('([{'.includes(bare[place] ?? '.')) place = closingOf(bare, place);
    place += 1;
  }
  return bare.slice(at, place);
};

/** What a name stands for, if the file says so once and plainly. */
const meaningOf = (bare: string, name: string): string => {
  const found = new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll('$', '\\$')}\\b[^=;\\n]*=(?!=)`).exec(bare);
  return found ? expressionAt(bare, found.index + found[0].length) : '';
};

const findingAt = ({ path, text }: Source, place: number, found: string): Finding => ({
  code: 'random_key',
  level: 'error',
  file: path,
  line: lineAt(text, place),
  what: `idempotencyKey is made with ${found.replaceAll(/\s+/g, '')}`,
  why,
});

export const randomKeys = (source: Source): readonly Finding[] =>
  [...source.bare.matchAll(/\bidempotencyKey\b\s*(?::\s*string\s*)?([:=,}])(?![=>])/g)].flatMap((match) => {
    const isShort = match[1] === ',' || match[1] === '}';
    const said = isShort ? 'idempotencyKey' : expressionAt(source.bare, match.index + match[0].length);
    // What is named in it, one step back: `idempotencyKey: key`, and the parts of a template.
    const names = [...said.matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*(?![\w$]*\s*[(:])/g)].map(([name]) => name);
    const found = fresh.exec([said, ...names.map((name) => meaningOf(source.bare, name))].join('\n'));
    return found ? [findingAt(source, match.index, found[0])] : [];
  });
