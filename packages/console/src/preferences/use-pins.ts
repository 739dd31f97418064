import { useCallback, useEffect } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';
import { pinned } from './pinned.ts';

const everyMs = 10_000;

/** Keeps up with what is pinned on other pages of this person. */
export const usePins = (): void => {
  const { pins } = useClient();
  // Before it is read below: effects run in their order.
  useEffect(() => pinned.connect(pins), [pins]);
  useWhileSeen(
    useCallback((attempt: Attempt) => pinned.read(attempt), []),
    everyMs,
  );
};
