/**
 * Names of files, made safe to show, to send in a header and to save under.
 *
 * FN1 A name is never refused: what it may not hold is left out or replaced, and one that is too long is cut before its
 *     ending.
 * FN2 What is left cannot leave a folder, hide its ending (directions of writing that are turned by a character) or break a
 *     line. Letters of every script stay as they are.
 */
import { codePoints, firstCodePoints } from './content.ts';
import { limits } from './wire/limits.ts';

/** Characters that are not seen but turn the order of those that are, or stand for nothing. */
const unseen = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
// Control characters are what this is about.
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const controls = /[\u0000-\u001f\u007f-\u009f]/g;
/** What a file system or a shell takes for something else. */
const special = /[<>:"|?*]/g;
const otherwise = 'file';

const lastPart = (name: string): string => name.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';

/** The ending with its dot, where it is short enough to be one. */
const endingOf = (name: string): string => /\.[^.\s]{1,16}$/.exec(name)?.[0] ?? '';

const cut = (name: string): string => {
  if (codePoints(name) <= limits.fileNameCharacters) return name;
  const ending = endingOf(name);
  return firstCodePoints(name.slice(0, name.length - ending.length), limits.fileNameCharacters - codePoints(ending)) + ending;
};

/** The name as it is kept (FN1, FN2). */
export const safeFileName = (given: string): string => {
  const plain = lastPart(given.toWellFormed().replace(controls, '').replace(unseen, '')).replace(special, '_').normalize('NFC');
  // A dot in front would hide it; one behind is lost on some systems.
  const trimmed = plain.replace(/^[\s.]+|[\s.]+$/g, '');
  const name = cut(trimmed);
  return name === '' ? otherwise : name;
};

/** `report.pdf`, 2 → `report-2.pdf`: what a second file of the same name is called where names must differ. */
export const numberedName = (name: string, n: number): string => {
  if (n <= 1) return name;
  const ending = endingOf(name);
  return `${name.slice(0, name.length - ending.length)}-${n}${ending}`;
};

/** A media type without its parameters; what is none is `application/octet-stream`. */
export const mediaTypeOf = (contentType: string | undefined): string => {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(essence) ? essence : 'application/octet-stream';
};

const mediaTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  ts: 'text/plain',
  py: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

/** By the ending, where nobody said it. */
export const mediaTypeByName = (name: string): string => mediaTypes[endingOf(name).slice(1).toLowerCase()] ?? 'application/octet-stream';

/** True for what can be shown to a model or a person as text. */
export const isTextType = (mediaType: string): boolean =>
  mediaType.startsWith('text/') || /^application\/(?:json|xml|yaml|javascript|x-ndjson)$/.test(mediaType) || /\+(?:json|xml)$/.test(mediaType);
