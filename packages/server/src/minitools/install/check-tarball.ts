/**
 * Looks through a tarball before anything of it is unpacked.
 *
 * TB1 No entry is absolute or leads out of the package, and none is a link or a device: npm packs only files and folders.
 * TB2 It is looked through as a stream: what unpacks to more than a package may hold is refused when the limit is reached.
 */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type PackageLimits, packageLimits } from './copy-package.ts';

const block = 512;
const refusal = (detail: string): TurnkeeperError => new TurnkeeperError('validation_failed', detail, { reason: 'package' });

const textAt = (header: Buffer, from: number, length: number): string => header.toString('utf8', from, from + length).replace(/\0.*$/s, '');

const sizeOf = (header: Buffer): number => {
  // Above 8 GB the size is binary: too much in any case.
  if ((header[124] ?? 0) & 0x80) return Number.MAX_SAFE_INTEGER;
  const size = Number.parseInt(textAt(header, 124, 12).trim() || '0', 8);
  if (!Number.isSafeInteger(size) || size < 0) throw refusal('The tarball is damaged: an entry has no size.');
  return size;
};

const sumOf = (header: Buffer): number => header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/** `x`, `g`, `L`: they say something of the next entry; its name, too, so they are read. */
const describes = new Set(['x', 'g', 'L', 'K']);
const mostDescription = 1024 * 1024;

const checkName = (name: string): void => {
  const parts = name.split(/[/\\]/);
  if (/^([/\\]|[A-Za-z]:)/.test(name) || parts.includes('..') || name.includes('\0'))
    throw refusal(`The tarball has an entry that leaves the package: ${name}`);
};

/** The values of `path` and `linkpath` in the records of a pax header. */
const checkDescription = (type: string, text: string): void => {
  if (type === 'L') checkName(text.replace(/\0.*$/s, ''));
  if (type === 'K') throw refusal('The tarball has a link.');
  for (const [, key, value = ''] of text.matchAll(/\d+ (path|linkpath|size)=([^\n]*)\n/g)) {
    if (key === 'linkpath') throw refusal('The tarball has a link.');
    // It would count for more than the entry says of itself.
    if (key === 'size') throw refusal('The tarball has an entry of more than 8 GB.');
    checkName(value);
  }
};

const checkEntry = (header: Buffer, type: string): void => {
  const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : '';
  const name = textAt(header, 0, 100);
  checkName(prefix === '' ? name : `${prefix}/${name}`);
  if (type !== '0' && type !== '5' && type !== '') throw refusal(`The tarball has an entry that is neither a file nor a folder: ${name}`);
};

/** Rejects with `validation_failed`. */
export const checkTarball = async (path: string, limits: PackageLimits = packageLimits): Promise<void> => {
  let rest = Buffer.alloc(0);
  let skip = 0;
  let described: { readonly type: string; readonly size: number } | undefined;
  let zeros = 0;
  let files = 0;
  let bytes = 0;
  const entry = (header: Buffer): void => {
    if (header.every((byte) => byte === 0)) {
      zeros += 1;
      return;
    }
    // Two blocks of nothing end it for everybody; whoever reads on would see what was not looked at.
    if (zeros > 0) throw refusal('The tarball is damaged: something follows its end.');
    if (Number.parseInt(textAt(header, 148, 8).trim(), 8) !== sumOf(header)) throw refusal('The tarball is damaged: the sum of an entry is wrong.');
    const size = sizeOf(header);
    const type = textAt(header, 156, 1);
    files += 1;
    bytes += size;
    if (files > limits.files) throw refusal(`The tarball has more than ${limits.files} entries.`);
    if (bytes > limits.bytes) throw refusal(`The tarball unpacks to more than ${Math.round(limits.bytes / 1024 / 1024)} MB.`);
    const padded = Math.ceil(size / block) * block;
    if (!describes.has(type)) {
      checkEntry(header, type);
      skip = padded;
    } else if (size > mostDescription) throw refusal('The tarball is damaged: a name is too long.');
    else described = { type, size };
  };
  const take = (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    while (true) {
      const skipped = Math.min(skip, rest.length);
      rest = rest.subarray(skipped);
      skip -= skipped;
      const wanted = described ? Math.ceil(described.size / block) * block : block;
      if (skip > 0 || rest.length < wanted) return;
      const piece = rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
      const description = described;
      described = undefined;
      if (description) checkDescription(description.type, piece.toString('utf8', 0, description.size));
      else entry(piece);
    }
  };
  try {
    await pipeline(createReadStream(path), createGunzip(), async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) take(chunk);
    });
  } catch (error) {
    if (error instanceof TurnkeeperError) throw error;
    throw refusal(`The tarball cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (files === 0) throw refusal('The tarball is empty.');
};
