/** How long things are kept, in days; 0 = for ever. */
export type RetentionConfig = {
  /** The history of turns, from their outcome on. With it go the pieces of answers, a day after their turn. */
  readonly historyDays: number;
  /** What is left of a session that was deleted. */
  readonly deletedDays: number;
  readonly auditDays: number;
};

export const defaultRetention: RetentionConfig = { historyDays: 30, deletedDays: 7, auditDays: 0 };
