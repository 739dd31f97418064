/**
 * Many changes, one notification: at the next frame of a visible page, else in the next microtask (Node) or soon
 * (a hidden page has no frames).
 */
export const createCoalescer = (flush: () => void): (() => void) => {
  let pending = false;
  const run = (): void => {
    if (!pending) return;
    pending = false;
    flush();
  };
  return () => {
    if (pending) return;
    pending = true;
    if (typeof requestAnimationFrame !== 'function') {
      queueMicrotask(run);
      return;
    }
    requestAnimationFrame(run);
    // The first of both runs; the other finds nothing pending.
    setTimeout(run, 120);
  };
};
