/** A gate that a script waits at until the test opens it. */
export type Gate = {
  /** Resolves when somebody waits at the gate. */
  readonly reached: Promise<void>;
  readonly wait: () => Promise<void>;
  readonly open: () => void;
  readonly waiting: () => number;
};

export const createGate = (): Gate => {
  let open = (): void => {};
  let reach = (): void => {};
  let waiting = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    open,
    waiting: () => waiting,
    wait: async () => {
      waiting += 1;
      reach();
      await opened;
      waiting -= 1;
    },
  };
};
