import { useEffect } from 'react';
import { pollWhileSeen, type Read } from './poll.ts';

/**
 * Reads at once, every `everyMs` while the page is looked at, and when it is looked at again; less often while the server does not
 * answer; anew when `read` is another function (memoize it).
 */
export const useWhileSeen = (read: Read, everyMs: number): void => {
  useEffect(() => pollWhileSeen(read, everyMs), [read, everyMs]);
};
