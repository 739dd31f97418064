/** Things as people name them: by a whole id or name, a unique beginning of an id, or a name in other case. */
import { UsageError } from './exit-codes.ts';
import { nearest } from './nearest.ts';

export type Named<Item> = {
  /** Of one such thing, e.g. `user`. */
  readonly what: string;
  readonly id: (item: Item) => string;
  readonly name?: (item: Item) => string;
  /** Said where several fit, e.g. `revoked`. */
  readonly state?: (item: Item) => string;
  /** One that is over does not stand in the way of one that is not; its whole id names it all the same. */
  readonly isOver?: (item: Item) => boolean;
  /** The command that lists them. */
  readonly list: string;
};

/** The part behind the kind: `usr_1a2b` may be called `1a2b`. */
const withoutKind = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Throws UsageError when nothing, or more than one, fits. */
export const pickOne = <Item>(items: readonly Item[], ref: string, { what, id, name, state, isOver, list }: Named<Item>): Item => {
  const whole = items.find((item) => id(item) === ref);
  if (whole) return whole;
  const byName = items.filter((item) => name?.(item) === ref);
  const byId = byName.length > 0 ? [] : items.filter((item) => id(item).startsWith(ref) || withoutKind(id(item)).startsWith(ref));
  const exact = byName.length > 0 ? byName : byId;
  const found = exact.length > 0 ? exact : items.filter((item) => name?.(item).toLowerCase() === ref.toLowerCase());
  const live = found.filter((item) => isOver?.(item) !== true);
  const fits = live.length > 0 ? live : found;
  const [only] = fits;
  if (!only || ref === '') {
    const near = name ? nearest(ref, items.map(name)) : [];
    const meant = near.length === 0 ? '' : ` Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`;
    throw new UsageError(`There is no ${what} "${ref}".${meant} List them with: ${list}`);
  }
  if (fits.length > 1) {
    const some = fits.slice(0, 4).map((item) => `${id(item)}${state ? ` (${state(item)})` : ''}`);
    throw new UsageError(`"${ref}" fits ${fits.length} ${what}s: ${some.join(', ')}${fits.length > 4 ? ' …' : ''}`);
  }
  return only;
};
