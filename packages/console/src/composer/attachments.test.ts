import { beforeEach, expect, test, vi } from 'vitest';
import { createAttachments, largestFile, mostFiles, type Upload } from './attachments.ts';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});
const file = (name: string, size = 3): File => Object.defineProperty(new File(['abc'], name), 'size', { value: size });

test('UP1 a failed upload is tried again under its key; what is uploaded survives a reload, what was under way does not', async () => {
  const keys: string[] = [];
  const upload: Upload = async (sent, { idempotencyKey, onSent }) => {
    keys.push(idempotencyKey);
    onSent?.(0.5);
    if (keys.length === 1) throw new Error('no network');
    if (sent.name === 'slow') await new Promise(() => {});
    return { id: 'file_1' };
  };
  const store = createAttachments('ses_1');
  store.add([file('a.txt')], upload);
  await expect.poll(() => store.get()[0]?.state).toEqual({ kind: 'failed', reason: { message: 'no network' } });
  store.retry(store.get()[0]?.key ?? '', upload);
  await expect.poll(() => store.ready()).toEqual([{ fileId: 'file_1', name: 'a.txt' }]);
  expect(keys[1]).toBe(keys[0]);
  store.add([file('slow')], upload);
  expect(store.get()[1]?.state).toEqual({ kind: 'uploading', part: 0.5 });
  expect(createAttachments('ses_1').get()).toEqual([{ key: 'file_1', name: 'a.txt', state: { kind: 'ready', fileId: 'file_1' } }]);
  store.clear();
  expect(storage.size).toBe(0);
});

test('UP2 too many and too large ones are said, and not sent; a removed one is not gone on with', async () => {
  const upload = vi.fn<Upload>((_file, { signal }) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))));
  const store = createAttachments('ses_2');
  expect(store.add([file('big', largestFile + 1)], upload)).toBe(true);
  expect(store.get()[0]?.state).toEqual({ kind: 'failed', reason: 'too_large' });
  expect(upload).not.toHaveBeenCalled();
  expect(
    store.add(
      Array.from({ length: mostFiles }, (_, n) => file(`f${n}`)),
      upload,
    ),
  ).toBe(false);
  expect(store.get()).toHaveLength(mostFiles);
  store.remove(store.get()[1]?.key ?? '');
  await Promise.resolve();
  expect(store.get()).toHaveLength(mostFiles - 1);
});
