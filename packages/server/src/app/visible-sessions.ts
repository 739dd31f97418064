/** Whose sessions a user may read, as a store is asked for them. What each row says is looked at once more (`accessRefusal`). */
import { ownerOf, type UserCaller } from './caller.ts';

export const visibleTo = (caller: UserCaller): { readonly owners: readonly string[]; readonly placements: readonly string[] } => ({
  owners: [ownerOf(caller), ...[...caller.applications.keys()].map((id) => `app:${id}`), ...[...caller.minitools].map((id) => `minitool:${id}`)],
  placements: [...caller.spaces.keys()].map((id) => `space:${id}`),
});
