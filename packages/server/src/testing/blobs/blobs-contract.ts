/** The contract of Blobs as tests: every sentence of ports/blobs.ts, for each place where bytes are kept. */
import { describe, expect, it } from 'vitest';
import type { Blobs, Bytes } from '../../ports/blobs.ts';

export type OpenedBlobs = {
  readonly blobs: Blobs;
  /** What there is, and what was left half done, by name and size: seen from outside. */
  readonly found: () => Promise<readonly string[]>;
  /** From now on the medium fails. */
  readonly breakIt: () => Promise<void>;
  /** What must never be in the words of an error. */
  readonly secret: string;
  readonly close: () => Promise<void>;
};

export async function* partsOf(...parts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) yield Buffer.from(part, 'latin1');
}

async function* brokenOff(): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('half of');
  throw new RangeError('the source broke off');
}

export const textOf = async (bytes: Bytes | undefined): Promise<string | undefined> => {
  if (!bytes) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
};

export const describeBlobsContract = (name: string, open: () => Promise<OpenedBlobs>): void => {
  const inOpened = (work: (opened: OpenedBlobs) => Promise<void>) => async () => {
    const opened = await open();
    try {
      await work(opened);
    } finally {
      await opened.close();
    }
  };

  describe(`blobs: ${name}`, () => {
    it(
      'FB1 gives back what was put, whole and in parts',
      inOpened(async ({ blobs, found }) => {
        await blobs.put('ses_1/blob_1', partsOf('0123', '', '456789\xff\x00'));
        await blobs.put('ses_1/blob_2', partsOf());
        expect(await textOf(await blobs.get('ses_1/blob_1'))).toBe('0123456789\xff\x00');
        expect(await textOf(await blobs.get('ses_1/blob_1', { start: 0, end: 0 }))).toBe('0');
        expect(await textOf(await blobs.get('ses_1/blob_1', { start: 3, end: 5 }))).toBe('345');
        expect(await textOf(await blobs.get('ses_1/blob_1', { start: 10, end: 11 }))).toBe('\xff\x00');
        expect(await textOf(await blobs.get('ses_1/blob_2'))).toBe('');
        expect(await found()).toEqual(['ses_1/blob_1 12', 'ses_1/blob_2 0']);
      }),
    );

    it(
      'FB1 leaves nothing of bytes whose source breaks off, and passes on what that threw (FB4)',
      inOpened(async ({ blobs, found }) => {
        await expect(blobs.put('ses_1/blob_1', brokenOff())).rejects.toThrow(RangeError);
        expect(await blobs.get('ses_1/blob_1')).toBeUndefined();
        expect(await found()).toEqual([]);
      }),
    );

    it(
      'FB1 shows nothing under a name before it is whole',
      inOpened(async ({ blobs }) => {
        let seen: unknown = 'not looked';
        async function* looking(): AsyncGenerator<Uint8Array, void, undefined> {
          yield Buffer.alloc(100_000, 1);
          seen = await blobs.get('ses_1/blob_1');
          yield Buffer.alloc(100_000, 2);
        }
        await blobs.put('ses_1/blob_1', looking());
        expect(seen).toBeUndefined();
        expect((await textOf(await blobs.get('ses_1/blob_1')))?.length).toBe(200_000);
      }),
    );

    it(
      'FB3 removes what is there, and is content with what is not',
      inOpened(async ({ blobs, found }) => {
        await blobs.put('ses_1/blob_1', partsOf('1'));
        await blobs.put('ses_1/blob_2', partsOf('2'));
        await blobs.remove('ses_1/blob_1');
        await blobs.remove('ses_1/blob_1');
        await blobs.remove('ses_9/blob_9');
        expect(await blobs.get('ses_1/blob_1')).toBeUndefined();
        expect(await blobs.get('ses_9/blob_9')).toBeUndefined();
        expect(await found()).toEqual(['ses_1/blob_2 1']);
        await blobs.remove('ses_1/blob_2');
        await blobs.put('ses_1/blob_3', partsOf('3'));
        expect(await found()).toEqual(['ses_1/blob_3 1']);
      }),
    );

    it(
      'takes many at once, also where others are removed',
      inOpened(async ({ blobs, found }) => {
        const names = Array.from({ length: 40 }, (_, n) => `ses_${n % 3}/blob_${n}`);
        await Promise.all(
          names.map(async (each, n) => {
            await blobs.put(each, partsOf(each));
            if (n % 2) await blobs.remove(each);
          }),
        );
        expect(await found()).toEqual(names.flatMap((each, n) => (n % 2 ? [] : [`${each} ${each.length}`])).toSorted());
      }),
    );

    it.each(['', 'a', '/etc/passwd', '../a/b', 'a/..', 'a/b/c', 'ses_1/../x', 'ses_1/a b', 'ses_1/%2e', 'ses_1/a\u0000'])('takes %j for no name', (bad) =>
      inOpened(async ({ blobs, found }) => {
        await expect((async () => blobs.put(bad, partsOf('x')))()).rejects.toMatchObject({ code: 'internal_error' });
        await expect((async () => blobs.get(bad))()).rejects.toMatchObject({ code: 'internal_error' });
        expect(await found()).toEqual([]);
      })(),
    );

    it(
      'FB4 says that the medium fails, and nothing secret',
      inOpened(async ({ blobs, breakIt, secret }) => {
        await blobs.put('ses_1/blob_1', partsOf('1'));
        await breakIt();
        for (const attempt of [
          () => blobs.put('ses_1/blob_2', partsOf('2')),
          async () => textOf(await blobs.get('ses_1/blob_1')),
          () => blobs.remove('ses_1/blob_1'),
        ]) {
          const error = await attempt().then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          expect(error).toMatchObject({ code: 'storage_unavailable' });
          expect(`${error} ${JSON.stringify(error)} ${(error as Error).cause}`).not.toContain(secret);
        }
      }),
    );
  });
};
