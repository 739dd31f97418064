/** Every place where bytes are kept keeps the one contract; and what only one of them can get wrong. */
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBlobsInMemory } from '../../ports/blobs.ts';
import { describeBlobsContract, type OpenedBlobs, partsOf, textOf } from '../../testing/blobs/blobs-contract.ts';
import { startFakeS3 } from '../../testing/blobs/fake-s3.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

const scratch = (): string => mkdtempSync(join(tmpdir(), 'turnkeeper-blobs-'));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return `${file.slice(folder.length + 1)} ${statSync(file).size}`;
    })
    .toSorted();

const openFolder = async (): Promise<OpenedBlobs> => {
  const folder = scratch();
  const aside = `${folder}-aside`;
  return {
    blobs: createFolderBlobs({ folder, shared: false }),
    found: async () => filesIn(folder),
    breakIt: async () => {
      renameSync(folder, aside);
      writeFileSync(folder, 'no folder any more');
    },
    secret: 'no secret here',
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      rmSync(aside, { recursive: true, force: true });
    },
  };
};

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY', region: 'eu-central-1', bucket: 'turn-keeper' };

const openS3 = async (prefix = 'some/pre fix/') => {
  const folder = scratch();
  const fake = await startFakeS3(keys);
  const blobs = createS3Blobs({ ...keys, endpoint: `${fake.endpoint}/`, prefix, scratchFolder: folder });
  const within = prefix.replaceAll(' ', '%20');
  return {
    blobs,
    fake,
    found: async () => [
      ...[...fake.objects].map(([name, bytes]) => `${name.startsWith(within) ? name.slice(within.length) : `stray ${name}`} ${bytes.length}`).toSorted(),
      ...filesIn(folder),
    ],
    breakIt: async () => fake.failAlways(500),
    secret: keys.secretAccessKey,
    close: async () => {
      await blobs.close();
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

describeBlobsContract('a folder', openFolder);
describeBlobsContract('S3-compatible storage', () => openS3());
describeBlobsContract('S3-compatible storage without a prefix', () => openS3(''));

describe('a folder', () => {
  it('is for its owner alone, and holds no folder of a session that has nothing', async () => {
    const folder = scratch();
    const blobs = createFolderBlobs({ folder, shared: false });
    await blobs.put('ses_1/blob_1', partsOf('1'));
    expect(statSync(join(folder, 'ses_1')).mode & 0o077).toBe(0);
    expect(statSync(join(folder, 'ses_1', 'blob_1')).mode & 0o077).toBe(0);
    await blobs.remove('ses_1/blob_1');
    expect(readdirSync(folder)).toEqual(['incoming']);
    rmSync(folder, { recursive: true });
  });

  it('forgets at its opening what a process left half done long ago, and nothing of others', () => {
    const folder = scratch();
    createFolderBlobs({ folder, shared: true });
    const [old, fresh] = [join(folder, 'incoming', 'old'), join(folder, 'incoming', 'fresh')];
    for (const file of [old, fresh]) writeFileSync(file, 'half');
    utimesSync(old, 1, 1);
    createFolderBlobs({ folder, shared: true });
    expect(readdirSync(join(folder, 'incoming'))).toEqual(['fresh']);
    rmSync(folder, { recursive: true });
  });

  it('says at once that it cannot be made', () => {
    const folder = scratch();
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    expect(() => createFolderBlobs({ folder: file, shared: false })).toThrow(expect.objectContaining({ code: 'storage_unavailable' }));
    rmSync(folder, { recursive: true });
  });
});

describe('S3-compatible storage', () => {
  it('tries again what passes, and sends the bytes whole each time', async () => {
    const { blobs, fake, found, close } = await openS3();
    fake.failNext(503, 500);
    await blobs.put('ses_1/blob_1', partsOf('whole'));
    fake.failNext(429);
    expect(await textOf(await blobs.get('ses_1/blob_1'))).toBe('whole');
    expect(await found()).toEqual(['ses_1/blob_1 5']);
    expect(fake.refused).toEqual([]);
    await close();
  });

  it('gives up at once where its key is refused', async () => {
    const { fake, close } = await openS3();
    const folder = scratch();
    const blobs = createS3Blobs({ ...keys, secretAccessKey: 'another', endpoint: fake.endpoint, prefix: '', scratchFolder: folder });
    await expect(blobs.put('ses_1/blob_1', partsOf('1'))).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(fake.refused).toEqual(['the signature does not match']);
    expect(fake.objects.size).toBe(0);
    await blobs.close();
    await close();
    rmSync(folder, { recursive: true });
  });

  it('says that nobody is there', async () => {
    const { blobs, fake, close } = await openS3();
    await fake.close();
    await expect(blobs.get('ses_1/blob_1')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await close();
  });
});

describeBlobsContract('memory', async () => {
  const blobs = createBlobsInMemory();
  const names = new Set<string>();
  let broken = false;
  const gate = <Result>(work: () => Promise<Result>): Promise<Result> =>
    broken ? Promise.reject(Object.assign(new Error('gone'), { code: 'storage_unavailable' })) : work();
  return {
    blobs: {
      ...blobs,
      put: (name, bytes) =>
        gate(async () => {
          await blobs.put(name, bytes);
          names.add(name);
        }),
      get: (name, range) => gate(() => blobs.get(name, range)),
      remove: (name) =>
        gate(async () => {
          await blobs.remove(name);
          names.delete(name);
        }),
    },
    found: async () => {
      const found: string[] = [];
      for (const name of [...names].toSorted()) found.push(`${name} ${(await textOf(await blobs.get(name)))?.length}`);
      return found;
    },
    breakIt: async () => {
      broken = true;
    },
    secret: 'no secret here',
    close: async () => {},
  };
});
