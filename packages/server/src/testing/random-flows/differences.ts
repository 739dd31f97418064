/** What two runs of one workflow may not differ in. */
import { canonicalJson, type Json } from '@turnkeeper/core/protocol/json';
import type { MadeFlow } from './made-flow.ts';
import type { Played } from './play-flow.ts';

/** None where joins race. Where the first failure ends it, that it does is the same, and not which. */
export const differences = ({ races, failFast }: MadeFlow, { cameTo: first }: Played, { cameTo: second }: Played): readonly string[] => {
  if (races) return [];
  if (failFast && first.status === 'failed') return second.status === 'failed' ? [] : [`it is ${second.status}, and failed before`];
  const [is, should] = [canonicalJson(second as unknown as Json), canonicalJson(first as unknown as Json)];
  return is === should ? [] : [`it came to ${is}, and before to ${should}`];
};
