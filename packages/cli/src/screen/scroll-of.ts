/** How far a key scrolls the timeline, in rows: upwards above 0. Undefined where it does not. */
import type { KeyName } from './keys.ts';

const wheelRows = 3;

/** `empty`: nothing is being typed, so that Home and End are free. `tails`: nothing ever is, and the arrows are, too. */
export type ScrollState = { readonly page: number; readonly length: number; readonly empty: boolean; readonly tails: boolean };

export const scrollOf = (name: KeyName, { page, length, empty, tails }: ScrollState): number | undefined => {
  switch (name) {
    case 'pageup':
      return page - 1;
    case 'pagedown':
      return 1 - page;
    case 'wheelup':
      return wheelRows;
    case 'wheeldown':
      return -wheelRows;
    case 'top':
      return length;
    case 'bottom':
      return -length;
    case 'home':
      return empty ? length : undefined;
    case 'end':
      return empty ? -length : undefined;
    case 'up':
      return tails ? 1 : undefined;
    case 'down':
      return tails ? -1 : undefined;
    default:
      return undefined;
  }
};
