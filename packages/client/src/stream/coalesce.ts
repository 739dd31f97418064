/**
 * Many changes, one notification: at the next frame of a visible page, else in the next microtask (Node) or soon
 * (a hidden page has no frames).
 *
 * CO1 A page that takes long to draw what it is told is told less often: as long as the last drawing took is left to everything else.
 */

/** A hidden page. */
const withoutFramesMs = 120;
/** However long a drawing took, e.g. because the machine was busy, it rests no longer. */
const longestRestMs = 150;

/** In a browser: calls `flush` at a frame. */
const createFrames = (flush: () => void): (() => void) => {
  let fallback: ReturnType<typeof setTimeout> | undefined;
  let restsUntil = 0;
  let state: 'rests' | 'asked' | 'draws' | 'asked while it draws' = 'rests';
  const run = (): void => {
    // The first of both runs; the other finds nothing asked for.
    if (state !== 'asked') return;
    clearTimeout(fallback);
    const began = performance.now();
    state = 'draws';
    // A task comes after the frame that this is in: by then all of it has been drawn.
    setTimeout(() => {
      const tookMs = performance.now() - began;
      const again = state === 'asked while it draws';
      state = 'rests';
      restsUntil = performance.now() + Math.min(tookMs, longestRestMs);
      if (again) ask();
    });
    flush();
  };
  const atFrame = (): void => {
    requestAnimationFrame(run);
    fallback = setTimeout(run, withoutFramesMs);
  };
  const ask = (): void => {
    state = 'asked';
    const rest = restsUntil - performance.now();
    // [CO1]
    if (rest > 0) setTimeout(atFrame, rest);
    else atFrame();
  };
  return () => {
    if (state === 'rests') ask();
    else if (state === 'draws') state = 'asked while it draws';
  };
};

export const createCoalescer = (flush: () => void): (() => void) => {
  if (typeof requestAnimationFrame === 'function') return createFrames(flush);
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    queueMicrotask(() => {
      pending = false;
      flush();
    });
  };
};
