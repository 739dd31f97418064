/** Why a mini-tool's process ended by itself. */
export const exitCodes = {
  /** Something was thrown that nobody caught. */
  uncaughtException: 70,
  /** A promise was rejected that nobody waited for. */
  unhandledRejection: 71,
  /** It was not started by a server. */
  noServer: 64,
} as const;
