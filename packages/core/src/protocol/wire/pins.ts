/** Sessions that a person keeps at hand. */
import { z } from 'zod';

const sessionIds = z.array(z.string().min(1).max(200));

/** As many as are kept; of more the oldest go. */
export const mostPins = 50;
/** The one that was pinned last comes first. */
export const pinsAnswer = z.object({ sessions: z.array(z.string()) });
/** What is pinned again comes first again. */
export const patchPinsRequest = z.strictObject({ add: sessionIds.max(mostPins).optional(), remove: sessionIds.max(200).optional() });

export type PinsAnswer = z.infer<typeof pinsAnswer>;
export type PatchPinsRequest = z.infer<typeof patchPinsRequest>;
