import { freshKey } from '@turnkeeper/client/fresh-key';
import { useCallback, useState } from 'react';
import { useClient } from './client-context.ts';
import type { SentFile } from './outbox.ts';

export type Upload = {
  readonly key: string;
  readonly name: string;
  /** There once it is stored. */
  readonly fileId?: string;
  readonly fault?: string;
};

export type Uploads = {
  readonly list: readonly Upload[];
  /** Some are under way, or failed: a message would go without them. */
  readonly busy: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (key: string) => void;
  /** Those that go with the message; none is left. */
  readonly take: () => readonly SentFile[];
};

const mostFiles = 10;

/** Files that are to go with the next message: uploaded as soon as they are chosen, so that sending does not wait. */
export const useUploads = (sessionId: string): Uploads => {
  const { files } = useClient();
  const [list, setList] = useState<readonly Upload[]>([]);
  const change = useCallback((key: string, more: Partial<Upload>) => {
    setList((before) => before.map((each) => (each.key === key ? { ...each, ...more } : each)));
  }, []);
  const add = useCallback(
    (chosen: readonly File[]) => {
      const fresh = chosen.slice(0, mostFiles).map((file) => ({ key: freshKey('file'), name: file.name || 'file', file }));
      setList((before) => [...before, ...fresh.map(({ key, name }) => ({ key, name }))].slice(0, mostFiles));
      for (const { key, name, file } of fresh)
        files.upload(sessionId, file, { idempotencyKey: key, name }).then(
          ({ id }) => change(key, { fileId: id }),
          (error: Error) => change(key, { fault: error.message }),
        );
    },
    [files, sessionId, change],
  );
  const remove = useCallback((key: string) => setList((before) => before.filter((each) => each.key !== key)), []);
  return {
    list,
    busy: list.some(({ fileId }) => fileId === undefined),
    add,
    remove,
    take: () => {
      setList([]);
      return list.flatMap(({ fileId, name }) => (fileId === undefined ? [] : [{ fileId, name }]));
    },
  };
};
