import type { SentFile } from '@turnkeeper/react/outbox';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { type Attachment, attachmentsOf, type Upload } from './attachments.ts';

export type Attached = {
  readonly list: readonly Attachment[];
  readonly count: number;
  /** Some are under way, or could not be uploaded: a message would go without them. */
  readonly busy: boolean;
  /** Some were left out, since there are too many. */
  readonly overfull: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (key: string) => void;
  readonly retry: (key: string) => void;
  /** Those that go with the message; none is left. Of a session that is still to be made they stay. */
  readonly take: () => readonly SentFile[];
};

const isUnfinished = ({ state }: Attachment): boolean => state.kind === 'uploading' || state.kind === 'failed';

export const useAttached = (place: string, upload: Upload | undefined): Attached => {
  const store = attachmentsOf(place);
  const list = useSyncExternalStore(store.subscribe, store.get);
  const [overfull, setOverfull] = useState(false);
  return useMemo(
    () => ({
      list,
      count: list.length,
      busy: list.some(isUnfinished),
      overfull,
      add: (files) => {
        if (files.length > 0) setOverfull(!store.add(files, upload));
      },
      remove: (key) => {
        setOverfull(false);
        store.remove(key);
      },
      retry: (key) => {
        if (upload) store.retry(key, upload);
      },
      take: () => {
        if (!upload) return [];
        const files = store.ready();
        store.clear();
        return files;
      },
    }),
    [store, list, overfull, upload],
  );
};
