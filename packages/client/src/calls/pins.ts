/** The sessions that a person keeps at hand: by id, the one that was pinned last first. */
import type { PatchPinsRequest, PinsAnswer } from '@turnkeeper/core/protocol/wire/pins';
import type { Transport } from '../transport/transport.ts';
import { api, type Retried } from './paths.ts';

export type PinCalls = {
  readonly list: (options?: Retried) => Promise<readonly string[]>;
  /** What comes and what goes; gives what is pinned then. */
  readonly change: (change: PatchPinsRequest) => Promise<readonly string[]>;
};

export const createPinCalls = ({ request }: Transport): PinCalls => ({
  list: async (options) => (await request<PinsAnswer>('GET', `${api}/pins`, options)).sessions,
  change: async (body) => (await request<PinsAnswer>('PATCH', `${api}/pins`, { body })).sessions,
});
