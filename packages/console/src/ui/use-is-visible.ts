import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** The page is before somebody, and not behind another one. */
export const useIsVisible = (): boolean => useSyncExternalStore(subscribe, () => !document.hidden);
