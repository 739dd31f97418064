/** Parts that may be worked off before everyone else gets a turn. */
const partsInARow = 200;

/**
 * Lets timers and sockets have their turn now and then: parts that are there already come as microtasks, and a hundred
 * thousand of them in a row would hold up every other session.
 */
export const createBreather = (): (() => Promise<void> | undefined) => {
  let parts = 0;
  return () => {
    parts += 1;
    return parts % partsInARow === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
};
