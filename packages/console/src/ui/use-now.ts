import { useEffect, useState } from 'react';

/** The time (Unix ms) for what counts seconds on the screen. */
export const useNow = (everyMs = 1_000): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
