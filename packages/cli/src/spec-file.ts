/** Definitions in files, JSON or YAML: their value, and where in the file each place of it stands. */
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Document } from 'yaml';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Counted from 1. */
export type FilePosition = { readonly line: number; readonly column: number };
export type SpecFile = {
  readonly path: string;
  readonly value: JsonObject;
  /** Of what a JSON pointer names; of what holds it, where it is not there. */
  readonly positionOf: (pointer: string) => FilePosition;
};
/** A file that cannot be read as JSON or YAML. */
export type SyntaxFault = { readonly detail: string; readonly position: FilePosition };
export type ReadFile = { readonly ok: true; readonly file: SpecFile } | { readonly ok: false; readonly path: string; readonly faults: readonly SyntaxFault[] };

const partsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The node that a pointer leads to, or the last one on the way; of a member, its name. */
const offsetOf = ({ isCollection, isNode, isPair }: typeof import('yaml'), document: Document, pointer: string): number => {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const part of partsOf(pointer)) {
    if (!isCollection(node)) break;
    const item = node.items.find((each, at) =>
      isPair(each) ? String((each.key as { readonly value?: unknown }).value ?? each.key) === part : String(at) === part,
    );
    if (item === undefined) break;
    const [place, next] = isPair(item) ? [item.key, item.value] : [item, item];
    if (isNode(place) && place.range) offset = place.range[0];
    node = next;
  }
  return offset;
};

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws UsageError where there is no such file. JSON is YAML, too. */
export const readSpecFile = async ({ cwd }: Pick<Io, 'cwd'>, path: string): Promise<ReadFile> => {
  const text = await readFile(resolve(cwd, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === 'ENOENT' ? `There is no file ${resolve(cwd, path)}.` : `${path} cannot be read: ${error.message}`);
  });
  // Loaded with the first file: most commands read none.
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  // Aliases are bounded by the library: a small file does not become a huge value.
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) return { ok: false, path, faults: document.errors.map(({ message, pos }) => ({ detail: message, position: at(pos[0]) })) };
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isObject(value)) return { ok: false, path, faults: [{ detail: 'it must be an object', position: { line: 1, column: 1 } }] };
  return { ok: true, file: { path, value, positionOf: (pointer) => at(offsetOf(yaml, document, pointer)) } };
};

export const faultLines = (path: string, faults: readonly SyntaxFault[]): readonly string[] =>
  faults.map(({ detail, position }) => `${path}:${position.line}:${position.column} error ${detail}`);

/** Throws UsageError for what is no definition. */
export const specIn = async (io: Pick<Io, 'cwd'>, path: string): Promise<SpecFile> => {
  const read = await readSpecFile(io, path);
  if (read.ok) return read.file;
  throw new UsageError(faultLines(path, read.faults).join('\n'));
};

/** What a definition is called where it does not say so: the file's name, without its ending. */
export const nameOfFile = (path: string): string => basename(path).replace(/\.(json|ya?ml)$/i, '');
