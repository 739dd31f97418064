/**
 * Paths in a session's workspace: names in a table, never paths of a file system.
 *
 * WP1 A path is relative, of plain parts: no `.`, `..`, empty part, backslash, control or unseen character. So one file has
 *     one path, and a path means nothing outside its session.
 * WP2 What is no path is refused, never repaired: an agent that meant another place is told, not misled.
 */
import { codePoints } from './content.ts';
import { limits } from './wire/limits.ts';

/** Where uploaded files are found. Agents read there and do not write. */
export const uploadsFolder = 'uploads/';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what paths must not hold
const odd = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\\]/;

/** Why this is no path, or undefined. */
export const pathFault = (path: string): string | undefined => {
  if (path === '') return 'the path is empty';
  if (!path.isWellFormed()) return 'the path is not valid Unicode';
  if (codePoints(path) > limits.pathCharacters) return `the path has more than ${limits.pathCharacters} characters`;
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'paths are relative: without a / or a drive in front';
  if (odd.test(path)) return 'the path holds a backslash, a control character or one that is not seen';
  const parts = path.split('/');
  if (parts.length > limits.pathParts) return `the path has more than ${limits.pathParts} parts`;
  if (parts.some((part) => part === '.' || part === '..')) return 'there is no . or .. in paths: all are relative to the workspace';
  if (parts.some((part) => part.trim() === '')) return 'a part of the path is empty';
  return path === path.normalize('NFC') ? undefined : 'the path is not in the normal form of Unicode (NFC)';
};

/** `./notes/a.md` as models like to write it; nothing else is changed (WP2). */
export const plainPath = (path: string): string => path.normalize('NFC').replace(/^\.\//, '');
