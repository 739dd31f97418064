/** A check for hot loops: a property looks at a million things, and a test runner's `expect` is too slow for that. */
export const must = (holds: boolean, what: string | (() => string)): void => {
  if (!holds) throw new Error(typeof what === 'string' ? what : what());
};
