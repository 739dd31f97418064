/**
 * Which call of a tool the running code belongs to.
 *
 * MX1 The token of a call goes with the promises that its `execute` made, and with no other call's.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Caller = {
  run<T>(callToken: string, work: () => T): T;
  /** Of the call that the code runs in; undefined outside of one. */
  token(): string | undefined;
};

export const createCaller = (): Caller => {
  const storage = new AsyncLocalStorage<string>();
  return { run: (callToken, work) => storage.run(callToken, work), token: () => storage.getStore() };
};
