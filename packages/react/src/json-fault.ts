/**
 * Where a text stops being JSON. Browsers say it in words of their own, and not always.
 */

const tokens = {
  space: /[ \t\n\r]*/y,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in strings
  string: /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y,
  scalar: /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
} as const;

class Fault extends Error {}

type Scanner = { at: number; readonly text: string };

const skip = (scanner: Scanner, token: keyof typeof tokens): boolean => {
  const pattern = tokens[token];
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.text);
  scanner.at += found?.[0].length ?? 0;
  return found !== null;
};
const skipMark = (scanner: Scanner, mark: string): boolean => {
  skip(scanner, 'space');
  if (scanner.text[scanner.at] !== mark) return false;
  scanner.at += 1;
  return true;
};
const need = (found: boolean): void => {
  if (!found) throw new Fault();
};

/** What stands between brackets, with commas between. */
const list = (scanner: Scanner, end: string, entry: () => void): void => {
  if (skipMark(scanner, end)) return;
  do entry();
  while (skipMark(scanner, ','));
  need(skipMark(scanner, end));
};
const value = (scanner: Scanner): void => {
  if (skipMark(scanner, '{')) {
    list(scanner, '}', () => {
      skip(scanner, 'space');
      need(skip(scanner, 'string'));
      need(skipMark(scanner, ':'));
      value(scanner);
    });
  } else if (skipMark(scanner, '[')) list(scanner, ']', () => value(scanner));
  else need(skip(scanner, 'string') || skip(scanner, 'scalar'));
};

/** Line and column, counted from 1, of the first character that cannot stand where it stands; undefined in JSON. */
export const jsonFault = (text: string): { readonly line: number; readonly column: number } | undefined => {
  const scanner: Scanner = { at: 0, text };
  try {
    value(scanner);
    skip(scanner, 'space');
    need(scanner.at === text.length);
    return undefined;
  } catch {
    // Also a text that is nested too deeply to be read.
    const before = text.slice(0, scanner.at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
};
