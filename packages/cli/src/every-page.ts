/** All items of a list that comes in pages. */
import type { Page } from '@turnkeeper/client/calls/paths';

const pageLimit = 200;
/** A list that is longer is looked through this far. */
const mostPages = 50;

export const everyItem = async <Item>(list: (query: { offset: number; limit: number }) => Promise<Page<Item>>): Promise<readonly Item[]> => {
  const found: Item[] = [];
  let offset: number | null = 0;
  for (let page = 0; page < mostPages && offset !== null; page += 1) {
    const answer: Page<Item> = await list({ offset, limit: pageLimit });
    found.push(...answer.items);
    offset = answer.next_offset;
  }
  return found;
};
